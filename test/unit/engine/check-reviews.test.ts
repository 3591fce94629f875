import { describe, expect, it } from "vitest";
import type { Review } from "../../../src/domain/experiment.ts";
import { checkReviews } from "../../../src/engine/verify/check-reviews.ts";
import { EvidenceFacts } from "../../../src/engine/verify/evidence-facts.ts";
import { Outcome } from "../../../src/engine/verify/outcome.ts";
import { began, ended, factsOf, hypothesis, registered, runStarted } from "./fact-lists.ts";

/** What verifying says of a review by root.2 of execution 2, which repeats execution 1. */
async function dependence(first: string, repeat: string): Promise<string[]> {
  const review: Review = {
    experiment: "x-1",
    execution: 2,
    repeat_of: { experiment: "x-1", execution: 1, outcome: "met" },
    reviewer: "root.2",
    verdict: "supported",
    outcome: "met",
    disagrees: false,
    summary: "It was met.",
    limitations: [],
    at: "2026-03-01T12:00:00.000Z",
  };
  const facts = new EvidenceFacts();
  const events = [
    runStarted(),
    hypothesis("h-1", "Insertion wins."),
    registered("x-1", "h-1"),
    began("x-1", 1, first),
    ended("x-1", 1, "met"),
    began("x-1", 2, repeat),
    ended("x-1", 2, "met"),
    { type: "review_recorded" as const, data: { agent: "root.2", call: "v", review } },
  ];
  for (const fact of factsOf(events)) facts.add(fact);
  const found = new Outcome();
  await checkReviews("/nowhere", facts, found);
  return found.result().divergences.flatMap(({ kind, what }) => (kind === "review_not_independent" ? [what] : []));
}

describe("verifying a review", () => {
  it("finds nothing where the reviewer is outside the lineages of all that it judges", async () => {
    expect(await dependence("root.1", "root.3")).toEqual([]);
  });

  it("finds that the reviewer, or an agent above or below, made the execution or the one it repeats", async () => {
    expect(await dependence("root.1", "root.2.1")).toEqual([
      "root.2 reviewed it and is not outside the lineage of root.2.1, who made execution 2 of x-1.",
    ]);
    expect(await dependence("root.2", "root.1")).toEqual([
      "root.2 reviewed it and is not outside the lineage of root.2, who made execution 1 of x-1.",
    ]);
  });
});
