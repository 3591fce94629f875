import { describe, expect, it } from "vitest";
import type { Verdict } from "../../../src/domain/finding.ts";
import { decideReview } from "../../../src/engine/decide/experiment.ts";
import { project } from "../../../src/engine/state/evolve.ts";
import { emptyLedger, evolveLedger } from "../../../src/engine/state/ledger.ts";
import { began, ended, factsOf, hypothesis, registered, runStarted, spawned } from "./fact-lists.ts";

/** What is said to a reviewer of an experiment that root.1 registered and that came to `outcome`. */
function review(change: {
  reviewer?: string;
  verdict?: Verdict;
  outcome?: "met" | "refuted" | "not_evaluable";
  disagreementReason?: string;
  executor?: string;
}) {
  const { reviewer = "root.2", verdict = "supported", outcome = "met", disagreementReason, executor = "root.1" } = change;
  const facts = factsOf([
    runStarted(),
    ...["root", "root.1", "root.2", "root.1.1", "root.2.1"].map((agent) => spawned(agent)),
    hypothesis("h-1", "Binary insertion wins."),
    registered("x-1", "h-1"),
    began("x-1", 1, executor),
    ended("x-1", 1, outcome),
  ]);
  const ledger = emptyLedger();
  for (const fact of facts) evolveLedger(ledger, fact);
  const state = project(facts);
  const experiment = state.experiments.get("x-1");
  if (!experiment) throw new Error("no experiment");
  const draft = { reviewer, verdict, summary: "It was looked at.", limitations: [], disagreementReason };
  return decideReview(state, ledger, experiment, draft, "2026-03-01T12:00:00.000Z");
}

describe("an experiment is reviewed", () => {
  it.each([
    ["its author", "root.1"],
    ["an agent above its author", "root"],
    ["an agent below its author", "root.1.1"],
  ])("by nobody of its author's lineage: not by %s", (_who, reviewer) => {
    expect(review({ reviewer })).toEqual({ refused: expect.stringContaining("registered by root.1, of your own lineage") as string });
  });

  it.each([
    ["the agent that ran it", "root.2", "root.2"],
    ["an agent above it", "root.2", "root.2.1"],
    ["an agent below it", "root.2.1", "root.2"],
  ])("by nobody of the lineage of who ran it: not by %s", (_who, reviewer, executor) => {
    expect(review({ reviewer, executor })).toEqual({
      refused: expect.stringContaining(`Execution 1 of x-1 was made by ${executor}, of your own lineage`) as string,
    });
  });

  it("by another, whose verdict moves the hypothesis and is kept beside the computed outcome", () => {
    const decision = review({});
    expect(decision).toMatchObject({ review: { reviewer: "root.2", verdict: "supported", outcome: "met", disagrees: false } });
    expect("events" in decision && decision.events("c").map(({ type }) => type)).toEqual(["hypothesis_moved", "review_recorded"]);
  });

  it.each([
    ["met", "contradicted"],
    ["met", "inconclusive"],
    ["refuted", "supported"],
    ["not_evaluable", "supported"],
  ] as const)("with a reason where the criteria come to %s and the verdict is %s, and the disagreement is kept", (outcome, verdict) => {
    expect(review({ outcome, verdict })).toEqual({
      refused: expect.stringContaining(`The frozen criteria come to "${outcome}"`) as string,
    });
    const disagreementReason = "The baseline was measured on other data.";
    expect(review({ outcome, verdict, disagreementReason })).toMatchObject({
      review: { verdict, outcome, disagrees: true, disagreement_reason: disagreementReason },
    });
  });
});
