import { describe, expect, it } from "vitest";
import { widenExtraction } from "../../../src/gateway/extract/widen-extraction.ts";

/** Distinct words `w<from>` to `w<to>`. */
function text(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => `w${from + index}`).join(" ");
}

describe("a part that was found on a page of many parts", () => {
  it.each([
    ["is widened to the main area that holds it", text(0, 100), 0, text(0, 250), "area"],
    ["is widened where it is a short introduction", text(0, 100), 1, text(0, 250), "area"],
    ["stands where it is nearly all of the area", text(0, 200), 0, text(0, 250), "part"],
    ["stands where the area is so large that it holds something else", text(0, 100), 0, text(0, 600), "part"],
    ["stands where it lies outside the area", text(500, 600), 0, text(0, 250), "part"],
    ["stands where it is long", text(0, 1200), 0, text(0, 2400), "part"],
    ["stands where it reads as an article", text(0, 400), 0.9, text(0, 900), "part"],
    ["stands where there is no area", text(0, 400), 0, "", "part"],
  ])("%s", (_, part, proseShare, area, expected) => {
    const taken = widenExtraction({ content: part, linkShare: 0, proseShare }, area);
    expect(taken === part ? "part" : "area").toBe(expected);
  });
});
