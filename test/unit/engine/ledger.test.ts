import { describe, expect, it } from "vitest";
import type { Fact, RunEvent } from "../../../src/domain/events.ts";
import { decideReview, firstDeciding, nextExecution } from "../../../src/engine/decide/experiment.ts";
import { project } from "../../../src/engine/state/evolve.ts";
import { emptyLedger, evolveLedger, type Ledger } from "../../../src/engine/state/ledger.ts";
import { began, ended, factsOf, hypothesis, registered, runStarted, spawned } from "./fact-lists.ts";

const STATEMENT = "Binary insertion wins on short arrays.";

/** Facts of several branches in the order they were recorded; those of `side` begin beside those of `main`. */
function record(...events: [branch: string, event: RunEvent][]): { ledger: Ledger; facts: Fact[] } {
  const facts = factsOf(
    events.map(([, event]) => event),
    (index) => events[index]?.[0] ?? "main",
  );
  const ledger = emptyLedger();
  for (const fact of facts) evolveLedger(ledger, fact);
  return { ledger, facts };
}

const onBoth: [string, RunEvent][] = [
  ["main", runStarted()],
  ["main", spawned("root")],
  ["main", hypothesis("h-1", STATEMENT)],
  ["main", registered("x-1", "h-1")],
];

describe("the first execution of a test", () => {
  it("is the first that decided, whatever branch it was made on", () => {
    const { ledger } = record(
      ...onBoth,
      ["main", began("x-1", 1)],
      ["main", ended("x-1", 1, "refuted")],
      ["side", began("x-1", 2)],
      ["side", ended("x-1", 2, "met")],
    );
    expect(firstDeciding(ledger, "x-1")).toMatchObject({ experiment: "x-1", execution: 1, branch: "main", end: { outcome: "refuted" } });
    expect(nextExecution(ledger, "x-1")).toBe(3);
  });

  it("stays the first for the same plan that another branch registers anew, with its hypothesis in the same words", () => {
    const again: [string, RunEvent][] = [
      ["side", hypothesis("h-2", STATEMENT)],
      ["side", registered("x-2", "h-2")],
    ];
    const { ledger } = record(...onBoth, ["main", began("x-1", 1)], ["main", ended("x-1", 1, "met")], ...again);
    expect(firstDeciding(ledger, "x-2")).toMatchObject({ experiment: "x-1", execution: 1 });
    const other = record(
      ...onBoth,
      ["main", began("x-1", 1)],
      ["main", ended("x-1", 1, "met")],
      ["side", hypothesis("h-2", "Something else.")],
      ["side", registered("x-2", "h-2")],
    );
    expect(firstDeciding(other.ledger, "x-2")).toBeUndefined();
  });

  it("stays the first, whatever is recorded of it later", () => {
    const { ledger } = record(
      ...onBoth,
      ["main", began("x-1", 1)],
      ["main", ended("x-1", 1, "refuted")],
      ["side", ended("x-1", 1, "not_evaluable", "interrupted")],
      ["side", ended("x-1", 1, "met")],
    );
    expect(firstDeciding(ledger, "x-1")).toMatchObject({ execution: 1, end: { outcome: "refuted" } });
  });

  it("stays the first where one that began before it ends after it", () => {
    const { ledger } = record(
      ...onBoth,
      ["main", began("x-1", 1)],
      ["side", began("x-1", 2)],
      ["side", ended("x-1", 2, "met")],
      ["main", ended("x-1", 1, "refuted")],
    );
    expect(firstDeciding(ledger, "x-1")).toMatchObject({ execution: 2, end: { outcome: "met" } });
  });

  it.each(["interrupted", "docker_unavailable", "cancelled"] as const)("is not one that ended as %s", (status) => {
    const { ledger } = record(...onBoth, ["main", began("x-1", 1)], ["main", ended("x-1", 1, "not_evaluable", status)]);
    expect(firstDeciding(ledger, "x-1")).toBeUndefined();
  });
});

describe("a review", () => {
  const draft = {
    reviewer: "root.2",
    verdict: "supported" as const,
    summary: "It was met.",
    limitations: [],
    disagreementReason: undefined,
  };
  const review = (ledger: Ledger, facts: Fact[], more: { disagreementReason?: string } = {}) => {
    const state = project(facts.filter((fact) => fact.branch === "side" || fact.seq <= onBoth.length));
    const experiment = state.experiments.get("x-1");
    if (!experiment) throw new Error("no experiment");
    return decideReview(state, ledger, experiment, { ...draft, ...more }, "2026-03-01T12:00:00.000Z");
  };
  const repeated = (first: "met" | "refuted") =>
    record(
      ...onBoth,
      ["main", began("x-1", 1)],
      ["main", ended("x-1", 1, first)],
      ["side", began("x-1", 2)],
      ["side", ended("x-1", 2, "met")],
    );

  it("of a repeat says so, and names the execution that decided", () => {
    const { ledger, facts } = repeated("met");
    expect(review(ledger, facts)).toMatchObject({
      review: {
        execution: 2,
        repeat_of: { experiment: "x-1", execution: 1, outcome: "met" },
        disagrees: false,
        limitations: ["Execution 2 is a repeat: execution 1 of x-1 decided first, with the outcome met."],
      },
    });
  });

  it("of a repeat that came out otherwise has to agree with the first, or say why not", () => {
    const { ledger, facts } = repeated("refuted");
    expect(review(ledger, facts)).toEqual({
      refused: expect.stringContaining(
        'This is a repeat: execution 1 of x-1 decided before it. The frozen criteria come to "refuted"',
      ) as string,
    });
    expect(review(ledger, facts, { disagreementReason: "The first ran on a broken machine." })).toMatchObject({
      review: { disagrees: true, outcome: "met" },
    });
  });

  it("of the first execution mentions no repeat", () => {
    const { ledger, facts } = record(...onBoth, ["side", began("x-1", 1)], ["side", ended("x-1", 1, "met")]);
    const decided = review(ledger, facts);
    expect(decided).toMatchObject({ review: { execution: 1, disagrees: false, limitations: [] } });
    expect("review" in decided && decided.review.repeat_of).toBeUndefined();
  });
});
