import { describe, expect, it } from "vitest";
import { SAME_DOCUMENT, SAME_TASK, taskFingerprint, taskSimilarity, textSimilarity } from "../../../src/domain/near-duplicate.ts";

const RELEASE = `Researchers at the university reported on Monday that binary insertion sort makes fewer comparisons than merge sort
on arrays of up to twelve elements. The team counted every comparison on two thousand random arrays of each length and found the
two algorithms to cross at about twelve. "We were surprised how early the crossing comes," the lead author said. The work will
appear in the journal next month. Moves of elements, which dominate the running time on real machines, were not counted.`;

const INDEPENDENT = `A new paper revisits an old question: which sorting method compares least on tiny inputs? Counting comparisons
over many random permutations, its authors place the break-even point between binary insertion and merging near a dozen items.
That agrees with theory, since the number of comparisons insertion needs stays close to the information bound for small n. Readers
should note that data movement was left out, so the result says little about speed on actual hardware.`;

describe("whether two documents are the same text", () => {
  it.each([
    [
      "a reprint with another headline",
      RELEASE,
      `Home | News | Sport\nTiny arrays, big surprise\n${RELEASE}\nShare this article. All rights reserved.`,
    ],
    ["a copy with other line breaks, case and punctuation", RELEASE, RELEASE.toUpperCase().replaceAll("\n", " ").replaceAll(",", " -")],
    ["a shortened reprint", RELEASE, RELEASE.split(". ").slice(0, 3).join(". ")],
    [
      "a lightly edited copy",
      RELEASE,
      RELEASE.replace("on Monday", "this week").replace("surprised", "astonished").replace("next month", "in May"),
    ],
    [
      "an abstract and the paper that begins with it",
      RELEASE,
      `${RELEASE}\n${INDEPENDENT}\n${INDEPENDENT.split(" ").toReversed().join(" ")}`,
    ],
    ["the same short text", "Merge sort is stable.", "merge sort is STABLE"],
  ])("takes %s for the same", (_, a, b) => {
    expect(textSimilarity(a, b)).toBeGreaterThanOrEqual(SAME_DOCUMENT);
    expect(textSimilarity(b, a)).toBe(textSimilarity(a, b));
  });

  it.each([
    ["two articles on one paper", RELEASE, INDEPENDENT],
    [
      "an article that quotes one sentence of the other",
      RELEASE,
      `${INDEPENDENT} "We were surprised how early the crossing comes," the lead author said.`,
    ],
    [
      "short texts that share a phrase",
      "Merge sort is stable and needs memory.",
      "Merge sort is stable only where ties keep their order in every merge.",
    ],
    ["a text and nothing", RELEASE, ""],
    ["nothing and nothing", "", " "],
  ])("takes %s for different", (_, a, b) => {
    expect(textSimilarity(a, b)).toBeLessThan(SAME_DOCUMENT / 2);
  });
});

describe("whether two tasks are the same", () => {
  it("gives one fingerprint to tasks that differ in case, punctuation, spacing and stop words", () => {
    const fingerprint = taskFingerprint("Find the papers on merge sort!");
    expect(taskFingerprint("  find papers\n about MERGE-sort ")).toBe(fingerprint);
    expect(taskFingerprint("find merge sort papers")).not.toBe(fingerprint);
    expect(taskFingerprint("to be or not to be")).toBe("not");
    expect(taskFingerprint("to be")).toBe("to be");
  });

  it.each([
    ["another verb and order", "Find papers on the stability of merge sort", "Search for articles about merge sort stability"],
    [
      "politeness and endings",
      "Count the comparisons binary insertion sort makes on short random arrays",
      "Please count comparisons made by binary insertion sort on short random arrays.",
    ],
    [
      "a remark on the manner",
      "Find the worst-case bound of merge sort",
      "Carefully find the worst-case bound of merge sort in the published literature",
    ],
    ["singular and plural", "Study caching strategies of browsers", "Study caching strategy of browsers"],
    ["the same words", "Check the claim", "check the claim."],
  ])("refuses a task that differs only by %s", (_, a, b) => {
    expect(taskSimilarity(a, b)).toBeGreaterThanOrEqual(SAME_TASK);
    expect(taskSimilarity(b, a)).toBe(taskSimilarity(a, b));
  });

  it.each([
    ["the subject", "Find papers on merge sort", "Find papers on quick sort"],
    [
      "the subject in a long description",
      "Collect published counts of comparisons of merge sort on random arrays of up to 64 elements, with the method of counting",
      "Collect published counts of comparisons of heap sort on random arrays of up to 64 elements, with the method of counting",
    ],
    [
      "the side",
      "Collect evidence for the claim that merge sort is faster",
      "Collect evidence against the claim that merge sort is faster",
    ],
    ["a number", "Measure comparisons of merge sort for n = 8", "Measure comparisons of merge sort for n = 16"],
    ["a year", "Search the literature on CDN caching in 2023", "Search the literature on CDN caching in 2024"],
    ["a letter", "Investigate effects of vitamin C on colds", "Investigate effects of vitamin D on colds"],
    ["a negation", "List sorts that are stable", "List sorts that are not stable"],
    ["a second subject", "Find benchmarks of Postgres", "Find benchmarks of Postgres and MySQL"],
    ["everything", "Review the literature on caching", "Run the experiment"],
    ["there being no task", "Find papers", ""],
  ])("lets tasks differ by %s", (_, a, b) => {
    expect(taskSimilarity(a, b)).toBeLessThan(SAME_TASK);
  });
});
