import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findQuote, quoteProblem, readRange } from "../../../src/domain/quotes.ts";

/** What a found quote covers in the text, or "missing". */
function passageOf(text: string, quote: string): string {
  const result = findQuote(text, quote);
  return result.found ? readRange(text, result) : "missing";
}

function rangeOf(text: string, quote: string): string {
  const result = findQuote(text, quote);
  return result.found ? `${result.start} to ${result.end}` : "missing";
}

describe("finding a quote", () => {
  it("gives the range in code points and says that it is exact", () => {
    expect(findQuote("𝒜 dot 🙂: merge sort is stable.", "merge sort is stable")).toEqual({ found: true, start: 9, end: 29, exact: true });
  });

  it("says that a quote with other typography is not exact", () => {
    expect(findQuote("It’s stable — always", "It's stable - always")).toEqual({ found: true, start: 0, end: 20, exact: false });
  });

  it.each([
    ["typographic quotes", "he said “it’s stable” twice", 'said "it\'s stable"', "said “it’s stable”"],
    ["guillemets", "il dit «stable» ici", 'dit "stable" ici', "dit «stable» ici"],
    ["dashes", "pages 5–7 — or −3", "pages 5-7 - or -3", "pages 5–7 — or −3"],
    ["white space and line breaks", "merge\n   sort\t is\u00a0stable", "merge sort is stable", "merge\n   sort\t is\u00a0stable"],
    ["a ligature", "the ﬁnal word", "the final word", "the ﬁnal word"],
    ["full-width letters", "Ｍｅｒｇｅ sort", "Merge sort", "Ｍｅｒｇｅ sort"],
    ["combining accents", "une e\u0301tude re\u0301cente", "une étude récente", "une e\u0301tude re\u0301cente"],
    ["precomposed accents", "une étude récente", "une e\u0301tude re\u0301cente", "une étude récente"],
    ["Hangul letters", "\u1112\u1161\u11ab\u1100\u1173\u11af 문서", "한글 문서", "\u1112\u1161\u11ab\u1100\u1173\u11af 문서"],
    ["half-width kana", "ﾃﾞｰﾀ sorting", "データ sorting", "ﾃﾞｰﾀ sorting"],
    ["soft hyphens", "compar\u00adison sort\u00ading", "comparison sorting", "compar\u00adison sort\u00ading"],
    ["zero-width characters", "merge\u200b sort\ufeff is", "merge sort is", "merge\u200b sort\ufeff is"],
    ["a word broken at a line end", "an exam-\nple of it", "an example of it", "an exam-\nple of it"],
    ["a break with a soft hyphen", "an exam\u00ad\nple of it", "an example of it", "an exam\u00ad\nple of it"],
    [
      "a soft hyphen after a full stop at a line end",
      "It is stable.\u00ad\nIt is fast.",
      "It is stable. It is fast.",
      "It is stable.\u00ad\nIt is fast.",
    ],
    ["a break with indentation", "an exam- \n   ple of it", "an example of it", "an exam- \n   ple of it"],
    ["a hyphen of its own at a line end", "a well-\nknown exam-\nple", "a well-known example", "a well-\nknown exam-\nple"],
    ["a hanging hyphen at a line end", "pre-\nand post-processing", "pre- and post-processing", "pre-\nand post-processing"],
    ["a range of years at a line end", "from 1990-\n1995 on", "from 1990-1995 on", "from 1990-\n1995 on"],
    ["a quote copied with its line breaks", "an example of it", "an exam-\nple of it", "an example of it"],
    ["Chinese broken into lines", "合并\n排序是\n稳定的。", "合并排序是稳定的", "合并\n排序是\n稳定的"],
    ["line separators", "merge\u2028sort\u0085is", "merge sort is", "merge\u2028sort\u0085is"],
  ])("sees through %s", (_, text, quote, passage) => {
    expect(passageOf(text, quote)).toBe(passage);
  });

  it.each([
    ["emphasis and links", "**Merge sort** is [stable](http://x).", "Merge sort is stable", "Merge sort** is [stable"],
    [
      "a link inside the words",
      'It [is (very) stable](http://x/a_(b) "t") today',
      "It is (very) stable today",
      'It [is (very) stable](http://x/a_(b) "t") today',
    ],
    ["an image", "see ![the tree](a.png) of calls", "see the tree of calls", "see ![the tree](a.png) of calls"],
    ["code and escapes", "call `sort()` at 2\\*n times", "call sort() at 2*n times", "call `sort()` at 2\\*n times"],
    [
      "headings and lists",
      "# Sorting\n\n- merge sort\n- quick sort\n> is fast",
      "Sorting merge sort quick sort is fast",
      "Sorting\n\n- merge sort\n- quick sort\n> is fast",
    ],
    ["a table", "| merge | 12 |\n| --- | --- |\n| quick | 14 |", "merge 12 quick 14", "merge | 12 |\n| --- | --- |\n| quick | 14"],
    ["underscores", "it is _really_ __very__ stable", "it is really very stable", "it is _really_ __very__ stable"],
    [
      "a quote copied with its markup",
      "it  is **really** [stable](http://x) today",
      "is **really** [stable](http://x) today",
      "is **really** [stable](http://x) today",
    ],
    ["emphasis in a Chinese word", "这是**合并**排序算法", "这是合并排序算法", "这是**合并**排序算法"],
  ])("takes a quote from the visible words of Markdown: %s", (_, text, quote, passage) => {
    expect(passageOf(text, quote)).toBe(passage);
  });

  it.each([
    ["another case", "Merge sort is stable", "merge sort is stable"],
    ["another word", "merge sort is stable", "merge sort is unstable"],
    ["another number", "about 1,000 elements", "about 1,001 elements"],
    ["a missing word", "merge sort is not stable", "merge sort is stable"],
    ["a hyphen that joins words apart", "to re-form the list", "to reform the list"],
    ["a sign dropped from a product", "it makes 2*3 comparisons", "it makes 23 comparisons"],
    ["a sign dropped between words", "the a * b product", "the a b product"],
    ["an underscore of a name", "call merge_sort here", "call mergesort here"],
    ["an accent cut from its letter", "read the re\u0301sume\u0301", "read the re\u0301sume"],
    ["part of a ligature", "the ﬁnal word", "inal word"],
    ["a bracket that is no link", "an array[index] of it", "an arrayindex of it"],
  ])("does not accept %s", (_, text, quote) => {
    expect(findQuote(text, quote).found).toBe(false);
  });

  it("gives the nearest passage as whole sentences, so that a misquote can be mended", () => {
    const text = "Sorting is old. Merge sort makes at most n log n comparisons in the worst case. Quick sort differs. Heaps are next.";
    const result = findQuote(text, "Merge sort makes no more than n log n comparisons");
    expect(result).toMatchObject({
      found: false,
      nearest: { passage: expect.stringContaining("Merge sort makes at most n log n comparisons in the worst case.") },
    });
    const nearest = result.found ? undefined : result.nearest;
    expect(readRange(text, nearest ?? { start: 0, end: 0 })).toBe(nearest?.passage);
  });

  it("gives no passage where nothing is near", () => {
    expect(findQuote("Bananas are yellow and rich in potassium.", "Merge sort makes n log n comparisons")).toEqual({ found: false });
  });

  it("finds nothing in an empty text and no empty quote in any", () => {
    expect(findQuote("", "merge sort")).toEqual({ found: false });
    expect(findQuote("merge sort", "  ")).toEqual({ found: false });
  });
});

/** An independent, slow reading of "the same words": no white space, hyphens or invisible characters. */
function bare(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\s\p{Default_Ignorable_Code_Point}\p{Pd}]/gu, "")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‘’]/g, "'");
}

const PIECES = [
  "merge",
  "sort",
  "Stable",
  "é",
  "e\u0301",
  "ﬁ",
  "½",
  "合",
  "并",
  "🙂",
  " ",
  "  ",
  "\n",
  "-",
  "-\n",
  "–",
  "\u00ad",
  "\u200b",
  "“",
  "’",
  ".",
  "*",
  "_",
  "[",
  "](",
  ")",
  "x",
  "7",
  "ㅏ",
  "\u1112\u1161",
];
const arbitraryText = fc.array(fc.constantFrom(...PIECES), { minLength: 4, maxLength: 60 }).map((pieces) => pieces.join(""));
const words = fc.array(fc.constantFrom("merge", "sort", "quick", "heap", "stable", "array", "12", "the", "of"), {
  minLength: 6,
  maxLength: 80,
});

describe("any quote", () => {
  it("is found when it was cut out of the text, and its range reads back as the same words", () => {
    fc.assert(
      fc.property(arbitraryText, fc.nat(), fc.nat(), (text, from, length) => {
        const points = Array.from(text);
        const start = from % points.length;
        const end = start + 1 + (length % (points.length - start));
        const quote = points.slice(start, end).join("");
        fc.pre(quote.trim() !== "" && !/^\s*\p{M}/u.test(quote) && !/^\p{M}/u.test(points[end] ?? ""));
        expect(bare(passageOf(text, quote))).toBe(bare(quote));
      }),
      { numRuns: 2000 },
    );
  });

  it("is found after typography, line breaks and hyphenation changed, at the same words", () => {
    const separators = fc.array(fc.constantFrom(" ", "\n", "  ", "\u00a0", " \u200b"), { minLength: 80, maxLength: 80 });
    fc.assert(
      fc.property(words, separators, fc.nat(), fc.nat(), (list, gaps, from, breakAt) => {
        const text = list
          .map(
            (word, index) =>
              (index === breakAt % list.length && /^[a-z]{4}/.test(word) ? `${word.slice(0, 2)}-\n${word.slice(2)}` : word) +
              (gaps[index] ?? " "),
          )
          .join("");
        const start = from % (list.length - 4);
        const quote = list.slice(start, start + 5).join(" ");
        expect(bare(passageOf(text, quote))).toBe(bare(quote));
      }),
      { numRuns: 1000 },
    );
  });

  it("is never found at its place once a letter inside it was changed", () => {
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), (list, from, at) => {
        const text = list.join(" ");
        const start = from % (list.length - 4);
        const quote = list.slice(start, start + 5).join(" ");
        const position = at % quote.length;
        fc.pre(/[a-z]/.test(quote.charAt(position)));
        const changed = `${quote.slice(0, position)}${quote.charAt(position) === "q" ? "k" : "q"}${quote.slice(position + 1)}`;
        expect(passageOf(text, quote)).toBe(quote);
        expect(rangeOf(text, changed)).not.toBe(rangeOf(text, quote));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("time to find a quote", () => {
  const million = Array.from({ length: 110_000 }, (_, index) => `word${(index * 7919) % 5000}`);
  const long = million.join(" ");

  /** Processor time of this thread, so that a busy machine does not count. */
  function millisecondsOf(text: string, quote: string, runs: number): number {
    const times = Array.from({ length: runs }, () => {
      const before = process.threadCpuUsage();
      findQuote(text, quote);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    });
    return Math.min(...times);
  }

  it("stays small for a megabyte and a quote of 500 characters near its end", () => {
    const quote = million.slice(109_000, 109_055).join("\n");
    expect(findQuote(long, quote).found).toBe(true);
    expect(millisecondsOf(long, quote, 5)).toBeLessThan(250);
  });

  it.each([
    ["one letter", "a".repeat(300_000), `${"a".repeat(250)}b${"a".repeat(249)}`],
    ["hyphens that nearly agree", "a-a".repeat(100_000), "a".repeat(500)],
    ["link openings", "[](".repeat(100_000), "nothing here"],
    ["unclosed link destinations", "](<aa".repeat(60_000), "nothing here"],
    ["list markers", "- - ".repeat(75_000), "nothing here"],
    ["table rules", "|-".repeat(150_000), "nothing here"],
    ["a table rule that ends in a word", `${"|-".repeat(150_000)}x`, "nothing here"],
    ["emphasis", "**a _b".repeat(50_000), "nothing here"],
    ["dashes", "-".repeat(300_000), "nothing here"],
    ["white space", " \n".repeat(150_000), "nothing here"],
    ["accents on one letter", `e${"\u0301".repeat(150_000)}`, "nothing here"],
  ])("stays linear in 300 hostile kilobytes of %s", (_, text, quote) => {
    expect(millisecondsOf(text, quote, 1)).toBeLessThan(2000);
  });
});

describe("what may be quoted", () => {
  it.each([
    ["seven characters", "a b c d e f g", "fewer than 8"],
    ["nothing but invisible characters", "\u200b".repeat(20), "fewer than 8"],
    ["more than 2000 characters", "word ".repeat(401), "more than 2000"],
    ["an ellipsis in brackets", "merge sort [...] is stable", "one contiguous passage"],
    ["an ellipsis sign in brackets", "merge sort […] is stable", "one contiguous passage"],
    ["an ellipsis sign", "merge sort … is stable", "one contiguous passage"],
    ["three dots that stand alone", "merge sort ... is stable", "one contiguous passage"],
    ["half a surrogate pair", "merge sort \ud83d stable", "lone surrogate"],
  ])("refuses %s and says what to quote instead", (_, quote, advice) => {
    expect(quoteProblem(quote)).toContain(advice);
  });

  it.each([["eight ch"], ["12345678"], ["a sequence 1, 2,...,n of numbers"], ["x".repeat(2000)], ["🙂".repeat(8)]])(
    "accepts %s",
    (quote) => {
      expect(quoteProblem(quote.length === 8 ? `${quote}s` : quote)).toBeUndefined();
    },
  );
});
