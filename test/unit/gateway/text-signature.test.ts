import { describe, expect, it } from "vitest";
import { bandsOf, compareSignatures, NEARLY_SAME, signText } from "../../../src/gateway/store/text-signature.ts";

/** A text of pseudo-random words, the same every time. */
function makeWords(seed: number, amount: number): string[] {
  let state = seed;
  return Array.from({ length: amount }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return `w${(state >>> 8) % 5_000}`;
  });
}

const WORDS = makeWords(1, 600);
const TEXT = WORDS.join(" ");

/** How alike a text is to TEXT, and whether the index would compare the two at all. */
function compare(other: string): { similarity: number; isFound: boolean } {
  const [one, two] = [signText(TEXT) ?? "", signText(other) ?? ""];
  const bands = new Set(bandsOf(one));
  return { similarity: compareSignatures(one, two), isFound: bandsOf(two).some((band) => bands.has(band)) };
}

describe("the signature of a text", () => {
  it.each([
    ["the same text", TEXT],
    ["other white space", WORDS.join("\n\n  ")],
    ["other case", TEXT.toUpperCase()],
    ["other punctuation", `"${WORDS.join(", ")}."`],
    ["full-width letters", TEXT.replaceAll("w", "ｗ")],
    ["Markdown around it", `# Title\n\n**${WORDS.slice(0, 300).join(" ")}** ${WORDS.slice(300).join(" ")}`],
    ["a line more at the end", `${TEXT} printed on a Monday in May`],
    ["a line more at the beginning", `Home Menu Search ${TEXT}`],
    ["a word changed in each hundred", WORDS.map((word, at) => (at % 100 === 50 ? "changed" : word)).join(" ")],
    ["two parts exchanged", [...WORDS.slice(300), ...WORDS.slice(0, 300)].join(" ")],
  ])("says nearly the same of %s", (_, other) => {
    const { similarity, isFound } = compare(other);
    expect(similarity).toBeGreaterThanOrEqual(NEARLY_SAME);
    expect(isFound).toBe(true);
  });

  it.each([
    ["another text", makeWords(2, 600).join(" ")],
    ["the same words in another order", WORDS.toSorted().join(" ")],
    ["a quarter of it", WORDS.slice(0, 150).join(" ")],
    ["a text that quotes a tenth of it", [...makeWords(3, 540), ...WORDS.slice(0, 60)].join(" ")],
    ["a text with every fifth word changed", WORDS.map((word, at) => (at % 5 === 0 ? `x${at}` : word)).join(" ")],
  ])("says different of %s", (_, other) => expect(compare(other).similarity).toBeLessThan(NEARLY_SAME));

  it.each([100, 50, 20, 10])("estimates what share of the sequences two texts have in common, one word in %i changed", (step) => {
    const other = WORDS.map((word, at) => (at % step === 0 ? `x${at}` : word));
    const sequences = (words: string[]): Set<string> => new Set(words.slice(2).map((_, at) => words.slice(at, at + 3).join(" ")));
    const [one, two] = [sequences(WORDS), sequences(other)];
    const shared = [...one].filter((sequence) => two.has(sequence)).length;
    // 32 values: the standard error is below 0.09.
    expect(Math.abs(compare(other.join(" ")).similarity - shared / (one.size + two.size - shared))).toBeLessThan(0.27);
  });

  it.each([
    ["nothing", "", false],
    ["49 words", makeWords(4, 49).join(" "), false],
    ["50 words", makeWords(4, 50).join(" "), true],
    ["the same word over and over", "word ".repeat(200), true],
    ["digits alone", Array.from({ length: 60 }, (_, index) => String(index)).join(" "), true],
  ])("is there or not: %s", (_, text, isThere) => expect(signText(text) !== undefined).toBe(isThere));

  it("is the same on every machine and in every version that finds old ones in the store", () => {
    expect(signText(TEXT)?.slice(0, 16)).toMatchInlineSnapshot(`"281d4c0851b63980"`);
  });
});
