import { describe, expect, it } from "vitest";
import { chooseExtraction, type Extraction } from "../../../src/gateway/extract/choose-extraction.ts";

/** Distinct words `w<from>` to `w<to>`. */
function text(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => `w${from + index}`).join(" ");
}

function found(content: string, linkShare = 0): Extraction {
  return { content: `<p>${content}</p>`, linkShare, proseShare: 1 };
}

/** Both lie inside. */
const EVERYWHERE = `<p>${text(0, 2000)}</p>`;

describe("of what two extractors found", () => {
  const PRICES = "$5 12,50 € Rs. 900 £7 30 kr";
  const code = "<pre>run it</pre>";
  it.each<[string, Extraction | undefined, Extraction | undefined, "readability" | "defuddle" | undefined, string?]>([
    ["nothing is nothing", undefined, undefined, undefined],
    ["empty markup is nothing", found(""), found(""), undefined],
    ["the only one stands", found(text(0, 50)), undefined, "readability"],
    ["the only one stands, on the other side too", undefined, found(text(0, 50)), "defuddle"],
    ["the part is the cleaner cut", found(text(0, 1000)), found(text(0, 1200)), "readability"],
    ["the part is the cleaner cut, the other way round", found(text(0, 1200)), found(text(0, 1000)), "defuddle"],
    ["a part that is nearly all loses a line for nothing", found(text(0, 1000)), found(text(0, 970)), "readability"],
    ["a part that lost most of a thread is too small", found(text(0, 300)), found(text(0, 1500)), "defuddle"],
    ["a part that lost most of an article is too small", found(text(0, 1500)), found(text(0, 300)), "readability"],
    ["nothing is cut from a short text", found(text(0, 200)), found(text(0, 150)), "readability"],
    ["the larger of two different choices stands", found(text(0, 200)), found(text(500, 750)), "defuddle"],
    ["a part that lost the code is no cleaner cut", found(text(0, 1000)), found(text(0, 1100) + code), "defuddle"],
    ["prose stands against a menu", found(text(0, 200)), found(text(0, 2000), 0.8), "readability"],
    ["a page of links is no menu where there is no prose", found(text(0, 20)), found(text(0, 900), 0.8), "defuddle"],
    ["a menu that was taken for prose falls", found(text(0, 900), 0.7), found(text(0, 100), 0.1), "defuddle"],
    ["a list of products names prices, and is no menu", found(text(0, 200)), found(`${text(0, 1900)} ${PRICES}`, 0.8), "defuddle"],
    [
      "prices beside the main area are in a menu",
      found(text(0, 200)),
      found(`${text(0, 900)} ${PRICES}`, 0.8),
      "readability",
      text(0, 200),
    ],
    ["what is mostly beside the main area has lost", found(text(0, 300)), found(text(300, 900)), "readability", text(0, 320)],
    [
      "what is mostly beside the main area has lost, the other way round",
      found(text(300, 500)),
      found(text(0, 150)),
      "defuddle",
      text(0, 320),
    ],
    ["a small part is no content, though all of it lies inside", found(text(0, 900)), found(text(0, 40)), "readability", text(0, 700)],
    ["what attributes hold is no text", found(`<i data-x="a>${text(0, 900)}">${text(0, 90)}</i>`), found(text(0, 800)), "defuddle"],
    ["filters make a list longer, not better", found(text(0, 1000), 0.4), found(text(500, 1200), 0.1), "defuddle"],
  ])("%s", (_, readability, defuddle, expected, area = EVERYWHERE) => {
    const chosen = chooseExtraction(readability, defuddle, area);
    expect(chosen === undefined ? undefined : chosen === readability ? "readability" : "defuddle").toBe(expected);
  });
});
