import { describe, expect, it } from "vitest";
import type { ReportDraft } from "../../../src/domain/report-draft.ts";
import type { RunRecord } from "../../../src/domain/run-record.ts";
import { createReportWriter } from "../../../src/report/index.ts";
import { KNUTH, makeDraft, makeExecution, makeExperiment, makeFinding, makeReview, makeRun, makeUntestedRun } from "./run-records.ts";

const writer = createReportWriter();

function claiming(...supports: string[]): ReportDraft {
  return makeDraft({ sections: [{ title: "Claims", claims: [{ text: "A claim.", supports }] }] });
}

function withFindings(run: RunRecord, ...findings: RunRecord["findings"]): RunRecord {
  return { ...run, findings: [...run.findings, ...findings] };
}

describe("checking a draft", () => {
  it("accepts a draft whose claims rest on what the run recorded", () => {
    expect(writer.check(makeDraft(), makeRun())).toEqual([]);
  });

  it.each([
    ["a finding that does not exist", "f-bounds"],
    ["an experiment that does not exist", "x-9"],
    ["a source no finding cites", "a".repeat(64)],
    ["a source prefix under eight digits", KNUTH.slice(0, 7)],
    ["an id that is a property of every object", "constructor"],
  ])("refuses %s and says where it stands", (_, id) => {
    const [problem, ...others] = writer.check(claiming("f-bound", id), makeRun());
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ where: "sections[0].claims[0].supports[1]", problem: expect.stringContaining(id) });
  });

  it("suggests the ids that begin like an unknown one", () => {
    const [problem] = writer.check(claiming("f-bounds"), makeRun());
    expect(problem?.mend).toMatch(/Ids there are: f-bound, /);
  });

  it("refuses a question as support and asks for what answered it", () => {
    expect(writer.check(claiming("q-1"), makeRun())).toMatchObject([
      { problem: expect.stringContaining("question"), mend: "Cite what answered the question." },
    ]);
  });

  it("accepts a source by a prefix of eight digits", () => {
    expect(writer.check(claiming(KNUTH.slice(0, 8)), makeRun())).toEqual([]);
  });

  it.each([
    ["hypothetical", makeFinding("f-weak", { status: "hypothetical" })],
    ["rejected", makeFinding("f-weak", { status: "rejected" })],
    ["outdated", makeFinding("f-weak", { status: "outdated" })],
    ["open question", makeFinding("f-weak", { type: "open_question" })],
    ["without a verdict", makeFinding("f-weak", { type: "hypothesis" })],
  ])("refuses a claim that rests only on a finding that is %s", (word, finding) => {
    expect(writer.check(claiming("f-weak"), withFindings(makeRun(), finding))).toMatchObject([
      { where: "sections[0].claims[0].supports", problem: expect.stringContaining(word), mend: expect.stringContaining("limitations") },
    ]);
  });

  it.each([
    "proposed",
    "testable",
    "testing",
    "contradicted",
    "inconclusive",
    "invalid_experiment",
    "requires_external_validation",
  ] as const)("refuses a claim that rests only on a hypothesis that is %s", (state) => {
    const run = makeRun();
    run.hypotheses.push({ id: "h-2", statement: "Another.", state, experiments: [] });
    expect(writer.check(claiming("h-2"), run)).toMatchObject([{ problem: expect.stringContaining(state) }]);
  });

  it("accepts a weak support beside one that carries the claim", () => {
    expect(writer.check(claiming("f-guess", "f-bound"), makeRun())).toEqual([]);
  });

  it.each([
    ["that Docker could not run", { executions: [makeExecution({ status: "docker_unavailable" })], reviews: [] }, "docker_unavailable"],
    ["that was never executed", { executions: [], reviews: [] }, "never executed"],
    ["whose review found it invalid", { reviews: [makeReview("x-1", { verdict: "invalid_experiment" })] }, "invalid"],
  ])("refuses a claim that rests only on an experiment %s", (_, changes, word) => {
    const run = { ...makeRun(), experiments: [makeExperiment("x-1", changes)] };
    const draft = { ...claiming("x-1"), confidence: "low" as const };
    expect(writer.check(draft, run)).toMatchObject([{ problem: expect.stringContaining(word) }]);
  });

  it("refuses an answer that rests only on a guess, unless it says that it is not known", () => {
    const draft = makeDraft({ answer_supports: ["f-guess"], confidence: "low" });
    expect(writer.check(draft, makeRun())).toMatchObject([{ where: "answer_supports" }]);
    expect(writer.check({ ...draft, confidence: "none" }, makeRun())).toEqual([]);
  });

  it.each(["high", "moderate", "low"] as const)("refuses %s confidence for an answer without support", (confidence) => {
    expect(writer.check(makeDraft({ answer_supports: [], confidence }), makeRun())).toMatchObject([{ where: "answer_supports" }]);
  });

  it("accepts an answer without support whose confidence is none", () => {
    expect(writer.check(makeDraft({ answer_supports: [], confidence: "none" }), makeRun())).toEqual([]);
  });

  it.each([
    ["only observations", ["f-insertion"], 1],
    ["a corroborated finding", ["f-bound"], 0],
    ["a finding whose experiment has a verdict", ["f-result"], 0],
    ["a hypothesis with a verdict", ["h-1"], 0],
  ])("judges high confidence on %s", (_, supports, problems) => {
    const found = writer.check(makeDraft({ answer_supports: supports, sections: [] }), makeRun());
    expect(found.filter(({ where }) => where === "confidence")).toHaveLength(problems);
  });

  it("does not count an inconclusive review as a verdict for high confidence", () => {
    const run = { ...makeRun(), experiments: [makeExperiment("x-1", { reviews: [makeReview("x-1", { verdict: "inconclusive" })] })] };
    expect(writer.check(makeDraft({ answer_supports: ["x-1"], sections: [] }), run)).toMatchObject([{ where: "confidence" }]);
  });
});

describe("what a draft leaves out", () => {
  const objection = makeFinding("f-against", { type: "counterargument", related: [{ kind: "contradicts", to: "f-bound" }] });

  it("refuses to cite a finding and leave out the one that contradicts it", () => {
    expect(writer.check(makeDraft(), withFindings(makeRun(), objection))).toEqual([
      {
        where: "answer_supports",
        problem: "f-bound is cited, but f-against, which contradicts it, is named nowhere in the draft.",
        mend: "Add a claim that rests on f-against, or weigh it in `interpretation` or `limitations` by its id.",
      },
    ]);
  });

  it.each([
    ["in a claim", claiming("f-bound", "f-against")],
    ["in a limitation", makeDraft({ limitations: ["f-against counts moves as well."] })],
    ["in an interpretation", makeDraft({ sections: [{ title: "T", interpretation: "But see (f-against).", claims: [] }] })],
  ])("accepts the contradicting finding named %s", (_, draft) => {
    expect(writer.check(draft, withFindings(makeRun(), objection))).toEqual([]);
  });

  it("does not take a longer id for the one left out", () => {
    const draft = makeDraft({ limitations: ["f-against2 is something else."] });
    expect(writer.check(draft, withFindings(makeRun(), objection))).toHaveLength(1);
  });

  it("needs no answer to a contradiction that was withdrawn", () => {
    expect(writer.check(makeDraft(), withFindings(makeRun(), { ...objection, status: "rejected" }))).toEqual([]);
  });

  it("asks for what a cited finding itself contradicts", () => {
    const cited = makeFinding("f-bold", { related: [{ kind: "contradicts", to: "f-insertion" }] });
    expect(writer.check(claiming("f-bold"), withFindings(makeRun(), cited))).toMatchObject([
      { problem: expect.stringContaining("f-insertion") },
    ]);
  });

  it("asks for a failed replication and not for one that worked", () => {
    const replication = makeFinding("f-again", { related: [{ kind: "replicates", to: "f-bound" }] });
    expect(writer.check(makeDraft(), withFindings(makeRun(), replication))).toEqual([]);
    expect(writer.check(makeDraft(), withFindings(makeRun(), { ...replication, negative_result: true }))).toMatchObject([
      { problem: expect.stringContaining("failed replication") },
    ]);
  });

  it.each([["h-1"], ["x-1"], ["f-result"]])(
    "refuses to cite %s and leave out the test that contradicted the same hypothesis",
    (support) => {
      const run = makeRun();
      run.experiments.push(makeExperiment("x-2", { reviews: [makeReview("x-2", { verdict: "contradicted", outcome: "refuted" })] }));
      const draft = makeDraft({ answer_supports: [support], sections: [] });
      expect(writer.check(draft, run)).toMatchObject([{ problem: expect.stringContaining("x-2, which contradicted hypothesis h-1") }]);
      expect(writer.check({ ...draft, limitations: ["x-2 found otherwise."] }, run)).toEqual([]);
    },
  );

  it("accepts a plain account of a run without Docker", () => {
    const draft = makeDraft({
      answer_supports: ["f-bound"],
      confidence: "low",
      sections: [],
      limitations: ["h-1 is untested: x-1 could not run without Docker."],
    });
    expect(writer.check(draft, makeUntestedRun())).toEqual([]);
  });
});
