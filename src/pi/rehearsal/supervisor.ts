import { call, idsIn, lastResult, type Conversation, type Line, type Part } from "./researcher.ts";

/** The supervisor's part: split, wait, have it reviewed, finish, report. */
export const superviseResearch: Part = [
  () =>
    call(
      ["search_memory", { query: "binary insertion sort merge sort comparisons" }],
      [
        "spawn_agent",
        {
          name: "Literature",
          goal: "Find out what is known about the number of comparisons of merge sort and of binary insertion sort, with sources.",
          completion_criteria: "Worst case and bound per insertion are published with quotes.",
          background: true,
        },
      ],
      [
        "spawn_agent",
        {
          name: "Experimenter",
          goal: "Test by a pre-registered experiment whether binary insertion sort makes fewer comparisons than merge sort on short random arrays.",
          expected_output: "The id of the experiment and what came out.",
          may_spawn: false,
          background: true,
        },
      ],
    ),
  () => call(["agent_control", { action: "wait" }]),
  (so) =>
    call([
      "spawn_agent",
      {
        name: "Reviewer",
        goal: "Review the experiment on comparison counts independently and record a verdict.",
        context: `The experiment is ${idsIn("x", lastResult(so, "agent_control").text)[0] ?? "not known"}.`,
        may_spawn: false,
      },
    ]),
  (so) =>
    call([
      "research_control",
      {
        action: "close_iteration",
        reason: `Sources read, experiment done: ${idsIn("f", ...so.results.map((result) => result.text)).join(", ")}`,
      },
    ]),
  (so) =>
    call(["research_control", { action: "finish", reason: `The question is answered: ${idsIn("f", so.prompts.at(-1) ?? "").join(", ")}` }]),
  writeReport,
];

/** The report depends on what the run came to: it reads that from the prompt that asks for it. */
function writeReport({ prompts }: Conversation): Line {
  const standing = prompts.at(-1) ?? "";
  const [hypothesis = ""] = idsIn("h", standing);
  const facts = [...standing.matchAll(/^- (f-[0-9a-f]{10}) \[fact, \w+\] (.*)$/gm)].map(([, id = "", text = ""]) => ({ id, text }));
  const measured = /^- (f-[0-9a-f]{10}) \[experiment_result, tested\] (.*)$/m.exec(standing);
  const supported = new RegExp(`${hypothesis} \\[supported\\]`).test(standing);
  const known = facts.map(({ id, text }) => ({ text, supports: [id] }));
  const tested = measured ? [{ text: measured[2] ?? "", supports: [measured[1] ?? ""] }] : [];
  const answer =
    supported && measured
      ? "Yes: on random arrays of 8 to 256 elements binary insertion sort made fewer comparisons than merge sort at every size tried. The counts did not cross, although both methods share their worst case."
      : "The sources say that both methods share their worst case and differ only on average. Whether binary insertion sort makes fewer comparisons on short random arrays was not settled by a reviewed test here.";
  return call([
    "write_report",
    {
      answer,
      answer_supports: [...(measured ? [measured[1] ?? ""] : []), ...facts.map(({ id }) => id)],
      confidence: supported ? "moderate" : "low",
      would_change: "A run with other input distributions or larger arrays in which the ratio of the means reaches 1.",
      sections: [
        { title: "What the sources say", claims: known },
        ...(tested.length > 0 ? [{ title: "What was measured", claims: tested }] : []),
        {
          title: "Reading",
          interpretation: "Comparisons are not running time: insertion moves a quadratic number of elements.",
          claims: [],
        },
      ],
      limitations: ["Random arrays without ties.", "Comparisons only, not running time."],
    },
  ]);
}
