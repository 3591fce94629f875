import { EXPERIMENT_CODE } from "./experiment-code.ts";
import { call, idsIn, lastResult, say, sourceRead, type Conversation, type Part } from "./researcher.ts";

const SITE = "https://rehearsal.hypo.example";
const INSERTION_QUOTE = "To insert into a sorted run of k elements it needs at most ⌈log2(k + 1)⌉ comparisons";

/** Reads on merge sort, has insertion sort read by an agent of its own, and misquotes once. */
export const readLiterature: Part = [
  () => call(["web_search", { query: "comparisons of merge sort and binary insertion sort", kind: "web" }]),
  () =>
    call(
      ["web_read", { url: `${SITE}/merge-sort.html` }],
      [
        "spawn_agent",
        {
          name: "Insertion sort reader",
          goal: "Find out how many comparisons binary insertion sort needs to insert one element, with a source.",
          context: `Start at ${SITE}/binary-insertion-sort.html.`,
          expected_output: "The bound, as a published fact.",
        },
      ],
    ),
  (so) =>
    call(["publish_finding", sameWorstCase(sourceRead(so, 0), "The worst case of merge sort is exactly that of binary insertion sort")]),
  (so) =>
    call([
      "publish_finding",
      sameWorstCase(sourceRead(so, 0), "n⌈log2 n⌉ - 2^⌈log2 n⌉ + 1 comparisons, which is exactly the worst case of binary insertion sort"),
    ]),
  (so) =>
    say(`Both methods share their worst case; they can only differ on average. Published: ${idsIn("f", ...published(so)).join(", ")}.`),
];

function sameWorstCase(source: string, quote: string): Record<string, unknown> {
  return {
    type: "fact",
    title: "Merge sort and binary insertion sort share their worst case",
    statement: "Top-down merge sort and binary insertion sort have the same worst-case number of comparisons.",
    evidence: [{ source, quote }],
    limitations: ["Says nothing about the average, nor about running time."],
  };
}

/** Reads one page and has the bound checked against a second source. */
export const readInsertionSort: Part = [
  () => call(["web_read", { url: `${SITE}/binary-insertion-sort.html` }]),
  (so) =>
    call([
      "spawn_agent",
      {
        name: "Second source",
        goal: "Check against another source that binary search needs at most ceil(log2(k + 1)) comparisons to insert.",
        context: `The first source is ${sourceRead(so, 0)}, with the quote: ${INSERTION_QUOTE}. Try ${SITE}/decision-trees.md.`,
        may_spawn: false,
      },
    ]),
  (so) => say(`The bound holds in two independent sources. ${idsIn("f", lastResult(so, "spawn_agent").text).join(", ")}`),
];

/** Finds an independent source for a bound and publishes it as corroborated. */
export const findSecondSource: Part = [
  () => call(["web_read", { url: `${SITE}/decision-trees.md` }], ["web_read", { url: `${SITE}/binary-insertion-sort.html` }]),
  (so) =>
    call([
      "publish_finding",
      {
        type: "fact",
        status: "corroborated",
        title: "Binary insertion needs at most ceil(log2(k + 1)) comparisons an element",
        statement: "Inserting into a sorted run of k elements by binary search takes at most ceil(log2(k + 1)) comparisons.",
        evidence: [
          {
            source: sourceRead(so, 0),
            quote: "a binary search needs at most ⌈log2(k + 1)⌉ comparisons, so binary insertion stays within a small linear term",
          },
          { source: sourceRead(so, 1), quote: INSERTION_QUOTE },
        ],
      },
    ]),
  (so) => say(`Confirmed: ${idsIn("f", ...published(so)).join(", ")}.`),
];

/** States the hypothesis, freezes a test of it and runs that. */
export const leadExperiment: Part = [
  () =>
    call([
      "publish_finding",
      {
        type: "hypothesis",
        title: "Binary insertion makes fewer comparisons than merge sort on short random arrays",
        statement:
          "On random arrays of 8 to 256 elements binary insertion sort makes fewer comparisons on average than top-down merge sort, at every size.",
      },
    ]),
  (so) =>
    call([
      "register_experiment",
      {
        hypothesis: idsIn("h", ...published(so))[0] ?? "h-0000000000",
        title: "Comparisons of binary insertion sort and merge sort, 8 to 256 elements",
        method: "Count comparisons of both methods on the same 60 random arrays of each of 11 sizes; compare the means.",
        baseline: "top-down merge sort",
        seeds: [20_240_229],
        metrics: [
          { name: "sizes", type: "int", description: "array sizes tried" },
          { name: "sizes_with_fewer", type: "int", description: "sizes at which binary insertion made fewer comparisons" },
          { name: "largest_ratio", type: "double", tolerance: 1e-12, description: "largest ratio of the means, insertion to merge" },
          { name: "ratio_at_16", type: "double", tolerance: 1e-12 },
          { name: "ratio_at_256", type: "double", tolerance: 1e-12 },
          { name: "crossing_size", type: "int", description: "smallest size at which insertion made as many or more; 0 for none" },
        ],
        success_criterion: "metrics.sizes_with_fewer == metrics.sizes && metrics.largest_ratio < 1.0",
        refutation_criterion: "metrics.ratio_at_16 >= 1.0 || metrics.sizes_with_fewer * 2 < metrics.sizes",
        confounders: ["random floats have no ties, so arrays with many equal elements are not covered"],
        limits: { seconds: 60, memory_mb: 128 },
      },
    ]),
  (so) =>
    call([
      "run_experiment",
      {
        experiment: idsIn("x", lastResult(so, "register_experiment").text)[0] ?? "x-0000000000",
        files: [{ path: "count.py", content: EXPERIMENT_CODE }],
        command: ["python3", "/work/count.py"],
      },
    ]),
  (so) =>
    hasRun(so)
      ? call(["publish_finding", measuredRatio(so)])
      : say(`The experiment ${experimentOf(so)} is registered and could not run; the hypothesis is untested.`),
  (so) => say(`Experiment ${experimentOf(so)} has run. ${idsIn("f", ...published(so)).join(", ")}`),
];

function measuredRatio(so: Conversation): Record<string, unknown> {
  const { text } = lastResult(so, "run_experiment");
  const metric = (name: string): string => new RegExp(`"${name}":([-0-9.e]+)`).exec(text)?.[1]?.slice(0, 6) ?? "unknown";
  const crosses = metric("crossing_size");
  return {
    type: "experiment_result",
    title: "No crossing of the comparison counts up to 256 elements",
    statement: `Binary insertion sort made ${metric("ratio_at_16")} times the comparisons of merge sort at 16 elements and ${metric("ratio_at_256")} times at 256; ${crosses === "0" ? "the counts did not cross at any size tried" : `the counts cross at ${crosses} elements`}.`,
    experiments: [experimentOf(so)],
    negative_result: crosses === "0",
    limitations: ["Random arrays without ties, up to 256 elements, comparisons only."],
  };
}

/** Looks at an experiment of somebody else and gives a verdict on it. */
export const reviewExperiment: Part = [
  (so) => call(["read_artifact", { id: idsIn("x", ...so.prompts)[0] ?? "x-0000000000" }]),
  (so) => {
    const { text } = lastResult(so, "read_artifact");
    // An execution that was interrupted stands before the one that ran to its end.
    const outcome = [...text.matchAll(/"outcome": "(met|refuted|neither|both|not_evaluable)"/g)].at(-1)?.[1];
    if (!text.includes('"status": "completed"')) return say("The experiment has not run, so there is nothing to review.");
    const verdict =
      outcome === "met"
        ? "supported"
        : outcome === "refuted"
          ? "contradicted"
          : outcome === "neither"
            ? "inconclusive"
            : "invalid_experiment";
    return call([
      "review_experiment",
      {
        experiment: idsIn("x", ...so.prompts)[0] ?? "x-0000000000",
        verdict,
        summary: `The plan was frozen before the run, both methods sorted the same arrays and every result was checked against a reference. The frozen criteria come to ${outcome ?? "nothing"}.`,
        limitations: ["One seed; random arrays without equal elements."],
      },
    ]);
  },
  (so) => say(lastResult(so, "review_experiment").text || "No review was possible."),
];

function hasRun(so: Conversation): boolean {
  return lastResult(so, "run_experiment").text.includes('"status":"completed"');
}

function experimentOf(so: Conversation): string {
  return idsIn("x", lastResult(so, "register_experiment").text)[0] ?? "x-0000000000";
}

function published({ results }: Conversation): string[] {
  return results.filter((result) => result.tool === "publish_finding" && result.ok).map((result) => result.text);
}
