import { describe, expect, it } from "vitest";
import type { ReferenceCheck } from "../../../src/domain/reference-check.ts";
import { findStale, listSeeds } from "../../../src/report/index.ts";
import { sha256 } from "../../../src/domain/hash.ts";
import { KNUTH, makeEvidence, makeExperiment, makeFinding, makePlan, makeRun, makeSource, NOTES } from "./run-records.ts";

const DATA = sha256("data");
const record = makeRun({
  findings: [
    makeFinding("f-base", { evidence: [makeEvidence(KNUTH, "a quote of Knuth")] }),
    makeFinding("f-refined", { related: [{ kind: "refines", to: "f-base" }] }),
    makeFinding("f-again", { related: [{ kind: "replicates", to: "f-base" }], evidence: [makeEvidence(NOTES, "another source")] }),
    makeFinding("f-result", { type: "experiment_result", status: "tested", experiments: ["x-1"] }),
    makeFinding("h-1", { type: "hypothesis", status: "hypothetical" }),
  ],
  experiments: [makeExperiment("x-1", { plan: { ...makePlan("h-1"), data: [{ name: "a.csv", sha256: DATA, from: "source" }] } })],
  questions: [{ id: "q-1", text: "Where?", closed: true, answer: "There.", by: ["f-refined"] }],
});
const sentences = [
  { where: "report, answer", text: "It is so.", supports: ["f-refined"] },
  { where: 'report, "A", claim 1', text: "Tested.", supports: ["h-1"] },
  { where: 'report, "A", claim 2', text: "By the source itself.", supports: [NOTES.slice(0, 12)] },
];

function stale(...ids: string[]): string[] {
  const seeds = ids.map((id) => ({ id, why: "it changed" }));
  return findStale(seeds, [{ record, sentences }]).map(({ kind, id }) => `${kind} ${id}`);
}

describe("what rests on something that changed", () => {
  it("is everything that leads to it: findings, answers and sentences, nearest first", () => {
    expect(stale(KNUTH)).toEqual(["finding f-base", "finding f-refined", "answer q-1", "sentence report, answer"]);
  });

  it("is the test, its verdict and its result where data changed, and the sentence that states the verdict", () => {
    expect(stale(DATA)).toEqual(["experiment x-1", "finding f-result", "verdict h-1", 'sentence report, "A", claim 1']);
  });

  it("includes the withdrawn finding itself", () => {
    expect(stale("h-1")).toEqual(["hypothesis h-1", "verdict h-1", 'sentence report, "A", claim 1']);
  });

  it("leaves alone what was replicated from another source", () => {
    expect(stale(KNUTH)).not.toContain("finding f-again");
  });

  it("follows a source that a sentence names by the beginning of its id", () => {
    expect(stale(NOTES)).toEqual(["finding f-again", 'sentence report, "A", claim 2']);
  });

  it("says through what", () => {
    const items = findStale([{ id: KNUTH, why: "it changed" }], [{ record, sentences }]);
    expect(items.at(-1)).toMatchObject({ why: "it changed", through: [KNUTH, "f-base", "f-refined"] });
  });

  it("crosses from one run to another, and ends where findings rest on each other", () => {
    const other = makeRun({
      run: "another",
      findings: [makeFinding("f-far", { related: [{ kind: "refines", to: "f-base" }] })],
      experiments: [],
      questions: [],
    });
    const circle = makeFinding("f-base", { related: [{ kind: "refines", to: "f-far" }] });
    const items = findStale(
      [{ id: "f-base", why: "x" }],
      [
        { record: makeRun({ findings: [circle], experiments: [], questions: [] }), sentences: [] },
        { record: other, sentences: [] },
      ],
    );
    expect(items.map(({ id, run }) => [id, run])).toEqual([
      ["f-base", record.run],
      ["f-far", "another"],
    ]);
  });
});

describe("what counts as a change", () => {
  const old = makeSource(KNUTH, {}, "https://a.example/");
  function version(content: string, retrieved_at: string, text = content) {
    const source = makeSource(sha256(content), {}, "https://a.example/");
    return {
      ...source,
      text: { sha256: sha256(text), extractor: "e", characters: 5 },
      retrievals: source.retrievals.map((retrieval) => Object.assign({}, retrieval, { retrieved_at })),
    };
  }
  function seeds(options: Partial<Parameters<typeof listSeeds>[0]>): string[] {
    return listSeeds({ findings: record.findings, sources: [old], checks: new Map(), noteStatus: new Map(), ...options }).map(
      ({ why }) => why,
    );
  }

  it("is a later retrieval of the same address with another text", () => {
    expect(seeds({ sources: [old, version("new", "2026-12-24T00:00:00.000Z")] })).toEqual([
      `source ${KNUTH.slice(0, 12)} reads differently since 2026-12-24 (now ${sha256("new").slice(0, 12)})`,
    ]);
  });

  it("is not an earlier version, nor other bytes with the same text", () => {
    expect(seeds({ sources: [old, version("older", "2020-01-01T00:00:00.000Z")] })).toEqual([]);
    expect(seeds({ sources: [old, version("new", "2026-12-24T00:00:00.000Z", `text of ${KNUTH}`)] })).toEqual([]);
  });

  it("is a retraction", () => {
    const check: ReferenceCheck = { source: KNUTH, checked_at: "", status: "matches", retracted: true, remarks: [] };
    expect(seeds({ checks: new Map([[KNUTH, check]]) })).toEqual([`source ${KNUTH.slice(0, 12)} is retracted`]);
  });

  it.each([
    ["outdated", 1],
    ["rejected", 1],
    ["observed", 0],
    ["contested", 0],
  ])("is a note that a person marked %s", (status, count) => {
    expect(seeds({ noteStatus: new Map([["f-base", status]]) })).toHaveLength(count);
  });
});
