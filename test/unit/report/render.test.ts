import { describe, expect, it } from "vitest";
import { createReportWriter } from "../../../src/report/index.ts";
import type { Report } from "../../../src/report/report-model.ts";
import {
  KNUTH,
  makeDraft,
  makeEvidence,
  makeExecution,
  makeExperiment,
  makeFinding,
  makeReview,
  makeRun,
  makeUntestedRun,
  MIRROR,
  NOTES,
} from "./run-records.ts";

const writer = createReportWriter();

function readJson(json: string): Report {
  return JSON.parse(json) as Report;
}

describe("the report of a drafted run", () => {
  it("reads as the golden report does", async () => {
    await expect(writer.render(makeRun(), makeDraft()).markdown).toMatchFileSnapshot("golden/drafted.md");
  });

  it("opens with the question, the answer, counted reasons and what would change it", () => {
    const lines = writer.render(makeRun(), makeDraft()).markdown.split("\n\n").slice(0, 4);
    expect(lines).toEqual([
      "# Does binary insertion sort make fewer comparisons than merge sort on short arrays?",
      "**Answer.** Yes, below about twelve elements. Above that merge sort makes fewer. [\\[x-1\\]](#x-1) [\\[1.1\\]](#ref-1-1) [\\[2\\]](#ref-2)",
      "**Confidence: high.** The answer rests on: 2 findings, 1 of them corroborated; 2 supporting sources, 2 independent documents; 1 verdict (x-1 supported); no replication.",
      "**What would change it.** A replication with another comparison counter.",
    ]);
  });

  it("says on its first line that a rehearsal model wrote it", () => {
    const { markdown, json } = writer.render(makeRun({ rehearsal: true }), makeDraft());
    expect(markdown.split("\n")[0]).toMatch(/^\*\*Rehearsal:\*\*/);
    expect(readJson(json).rehearsal).toBe(true);
    expect(writer.render(makeRun(), makeDraft()).markdown).not.toContain("Rehearsal");
  });

  it("gives identical output for identical input", () => {
    expect(writer.render(makeRun(), makeDraft())).toEqual(writer.render(makeRun(), makeDraft()));
  });

  it("points every citation to an anchor that exists, exactly once", () => {
    const { markdown } = writer.render(makeRun(), makeDraft());
    const anchors = Array.from(markdown.matchAll(/<a id="([^"]+)">/g), ([, id]) => id);
    const targets = Array.from(markdown.matchAll(/\]\(#([^)]+)\)/g), ([, id]) => id);
    expect(targets.length).toBeGreaterThan(8);
    expect(targets.filter((target) => !anchors.includes(target))).toEqual([]);
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  it("builds references from the source's metadata with place and quote", () => {
    const [first] = readJson(writer.render(makeRun(), makeDraft()).json).references;
    expect(first).toMatchObject({
      number: 1,
      source: KNUTH,
      title: "The Art of Computer Programming",
      authors: ["D. E. Knuth"],
      published: "1998",
      doi: "10.5555/280635",
      retrieved: "2026-11-30T10:16:00.000Z",
      quotes: [
        { label: "1.1", quote: "at most n lg n comparisons are made", start: 120, end: 155, findings: ["f-bound"] },
        { label: "1.2", start: 900 },
      ],
    });
  });

  it("counts a mirror and a preprint of the same work as one document", () => {
    const finding = makeFinding("f-both", {
      evidence: [makeEvidence(NOTES, "n log n in the worst case"), makeEvidence(MIRROR, "n log n in the worst case")],
    });
    const report = readJson(writer.render(makeRun({ findings: [finding] }), makeDraft({ answer_supports: ["f-both"], sections: [] })).json);
    expect(report.opening.counts).toMatchObject({ sources: 2, independent_sources: 1 });
  });

  it("counts replications, failed ones and repeated executions apart", () => {
    const run = makeRun({ experiments: [makeExperiment("x-1", { executions: [makeExecution(), makeExecution({ execution: 2 })] })] });
    run.findings.push(
      makeFinding("f-rep", { related: [{ kind: "replicates", to: "f-result" }] }),
      makeFinding("f-fail", { related: [{ kind: "replicates", to: "f-result" }], negative_result: true }),
    );
    const { opening } = readJson(writer.render(run, makeDraft()).json);
    expect(opening.reasons).toContain("1 replication, 1 failed replication, 1 repeated execution");
  });

  it("shows every execution, failures included, with the computed outcome beside each verdict", () => {
    const run = makeRun({
      experiments: [
        makeExperiment("x-1", {
          executions: [
            makeExecution({
              status: "timed_out",
              outcome: "not_evaluable",
              exit_code: null,
              metrics: undefined,
              reason: "120 seconds passed",
            }),
            makeExecution({ execution: 2, outcome: "refuted", metrics: { binary_insertion: 23, merge: 22.8, crossover: 0, seconds: 4 } }),
          ],
          reviews: [
            makeReview("x-1", { execution: 2, outcome: "refuted", disagrees: true, disagreement_reason: "the crossover metric is wrong" }),
          ],
        }),
      ],
    });
    const { markdown } = writer.render(run, makeDraft());
    expect(markdown).toContain("| 1 | timed_out | none | not_evaluable | not reviewed | 120 seconds passed |");
    expect(markdown).toContain("| 2 | completed | 0 | refuted | supported (root.2), **disagrees** |  |");
    expect(markdown).toContain("**Disagreement:** root.2 says supported, the frozen criteria say refuted; the crossover metric is wrong");
    expect(markdown).toContain("| seconds (not planned) |  | 4 |");
    expect(markdown).toContain("1 disagreement between a reviewer and the frozen criteria");
  });

  it("shows a disagreement that the reviewer did not own up to", () => {
    const run = makeRun({ experiments: [makeExperiment("x-1", { executions: [makeExecution({ outcome: "refuted" })] })] });
    expect(writer.render(run, makeDraft()).markdown).toContain(
      "root.2 says supported, the frozen criteria say refuted; no reason was given",
    );
  });

  it("sets findings that contradict, counterevidence, withdrawn and unproven findings apart", () => {
    const run = makeRun();
    run.findings.push(
      makeFinding("f-con", { related: [{ kind: "contradicts", to: "f-bound" }] }),
      makeFinding("f-old", { status: "outdated" }),
      makeFinding("f-lone", { type: "hypothesis", status: "hypothetical" }),
    );
    const { evidence } = readJson(writer.render(run, makeDraft()).json);
    expect(evidence.for.map(({ id }) => id)).toEqual(["f-bound", "f-insertion", "f-result", "f-none"]);
    expect(evidence.against.map(({ id, against }) => [id].concat(against))).toEqual([
      ["f-con", "f-bound"],
      ["f-insertion", "f-insertion"],
    ]);
    expect(evidence.not_established.map(({ id }) => id)).toEqual(["f-guess", "f-lone"]);
    expect(evidence.withdrawn.map(({ id }) => id)).toEqual(["f-old"]);
  });

  it("lists contradicted hypotheses among the negative results", () => {
    const run = makeRun();
    run.hypotheses.push({ id: "h-2", statement: "Moves do not matter.", state: "contradicted", experiments: [] });
    expect(writer.render(run, makeDraft()).markdown).toContain("- Contradicted by its test: Moves do not matter. [\\[h-2\\]](#h-2)");
  });

  it("shows the agents as an indented tree, orphans at the top", () => {
    const run = makeRun();
    run.agents.push({ id: "root.9.1", parent: "root.9", name: "Orphan", depth: 2, model: "m", outcome: "unfinished", reason: undefined });
    const tree = writer
      .render(run, makeDraft())
      .markdown.split("\n")
      .filter((line) => /^ *- \w+ \(root/.test(line));
    expect(tree.map((line) => line.replace(/ \(.*/, ""))).toEqual([
      "- Supervisor",
      "  - Literature",
      "    - Tester",
      "  - Reviewer",
      "- Orphan",
    ]);
  });
});

describe("the report that code writes alone", () => {
  it("reads as the golden report does", async () => {
    const { markdown } = writer.render(makeUntestedRun(), undefined, "the budget was used up before a draft");
    await expect(markdown).toMatchFileSnapshot("golden/plain-without-docker.md");
  });

  it("says that code wrote it and why, and claims no confidence", () => {
    const report = readJson(writer.render(makeRun(), undefined, "three drafts were refused").json);
    expect(report).toMatchObject({ written_by: "code", why_code: "three drafts were refused", opening: { confidence: "none" } });
    expect(writer.render(makeRun(), undefined).markdown).toContain("alone: no draft was handed in");
  });

  it("states what is known and what is not", () => {
    const { sections } = readJson(writer.render(makeRun(), undefined, "no draft").json);
    expect(sections.map(({ title, claims }) => [title].concat(claims.map(({ text }) => text)))).toEqual([
      [
        "What is known",
        "Hypothesis supported: Binary insertion makes fewer comparisons below 12 elements.",
        "Binary insertion made 21.4 comparisons where merge sort made 22.8. (tested)",
        "Merge sort needs at most n log n comparisons. (corroborated)",
        "Binary insertion sort makes about log n! comparisons. (observed)",
        "No study of arrays under four elements was found. (observed)",
      ],
      ["Questions closed on the way, as the supervisor put it", "Where do the two cross? At about 12 elements."],
      ["What is not known", "Caches would not change the count. (hypothetical)", "Open: Does it hold for nearly sorted arrays?"],
    ]);
  });

  it("says that a hypothesis is untested because there was no Docker engine", () => {
    const { hypotheses } = readJson(writer.render(makeUntestedRun(), undefined, "no draft").json);
    expect(hypotheses).toMatchObject([
      {
        untested: true,
        why_untested: "its test x-1 did not complete: docker_unavailable (no Docker engine answers at /var/run/docker.sock)",
      },
    ]);
  });

  it.each([
    ["no test was registered", [], "no test was registered for it"],
    [
      "the test was not executed",
      [makeExperiment("x-1", { executions: [], reviews: [] })],
      "its test x-1 was registered but never executed",
    ],
    ["nobody reviewed it", [makeExperiment("x-1", { reviews: [] })], "its test x-1 ran, but no other agent reviewed it"],
    [
      "nobody reviewed it, and a repeat was cancelled",
      [makeExperiment("x-1", { reviews: [], executions: [makeExecution(), makeExecution({ execution: 2, status: "cancelled" })] })],
      "its test x-1 ran, but no other agent reviewed it",
    ],
  ])("says why a hypothesis is untested: %s", (_, experiments, why) => {
    const run = { ...makeUntestedRun(), experiments };
    expect(readJson(writer.render(run, undefined).json).hypotheses[0]?.why_untested).toBe(why);
  });

  it("reports a run that found nothing at all", () => {
    const run = makeRun({
      findings: [],
      hypotheses: [],
      questions: [],
      experiments: [],
      agents: [],
      iterations: [],
      sources: {},
      question: " ",
    });
    const { markdown } = writer.render(run, undefined, "the model did not answer");
    expect(markdown).toMatch(/^# Report\n/);
    expect(markdown).toContain("It holds 0 findings from 0 independent documents, 0 hypotheses (0 with a verdict) and 0 open questions.");
    expect(markdown).toContain("*No source is cited.*");
  });

  it("shows a quoted source whose metadata is missing as such", () => {
    const { markdown } = writer.render(makeRun({ sources: {} }), undefined);
    expect(markdown).toContain("Untitled document. no metadata in the record.");
  });
});

describe("a large run", () => {
  it("is checked and rendered in under a second with 500 findings", () => {
    const findings = Array.from({ length: 500 }, (_, index) =>
      makeFinding(`f-${index}`, {
        evidence: [
          makeEvidence(index % 2 === 0 ? KNUTH : NOTES, `quote number ${index} of the source`, index * 40),
          makeEvidence(MIRROR, `passage ${index}`, index * 30),
        ],
        related: [{ kind: index % 3 === 0 ? "supports" : "refines", to: `f-${(index * 7) % 500}` }],
      }),
    );
    const run = makeRun({ findings });
    const claims = Array.from({ length: 20 }, (_, index) => ({
      text: `Claim ${index}.`,
      supports: Array.from({ length: 5 }, (__, k) => `f-${(index * 20 + k) % 500}`),
    }));
    const draft = makeDraft({
      answer_supports: ["f-1"],
      confidence: "low",
      sections: Array.from({ length: 20 }, (_, index) => ({ title: `Part ${index}`, claims })),
    });
    const before = process.threadCpuUsage();
    expect(writer.check(draft, run)).toEqual([]);
    const { markdown } = writer.render(run, draft);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1000);
    expect(markdown).toContain("f-499: fact, observed");
  });
});
