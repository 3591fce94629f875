import { join } from "node:path";
import { reviewFile } from "../../domain/experiment.ts";
import { Verdict } from "../../domain/finding.ts";
import { canonicalJson } from "../../domain/hash.ts";
import { sharesLineage } from "../../domain/ids.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";
import type { Outcome } from "./outcome.ts";
import { compareFile } from "./read-files.ts";

/**
 * Reviewers stand outside the lineages of the author and of those who executed what they judged, judged an execution that
 * had ended, and gave every verdict there is; the reviews that are kept with the experiments say the same.
 */
export async function checkReviews(folder: string, facts: EvidenceFacts, found: Outcome): Promise<void> {
  const authors = new Map(facts.of("plan_registered").map(({ data }) => [data.experiment, data.agent]));
  const executors = new Map(facts.of("experiment_started").map(({ data }) => [keyOf(data), data.agent]));
  const finished = facts.of("experiment_finished");
  const reviews = facts.of("review_recorded");
  for (const { seq, data } of reviews) {
    found.checked.reviews += 1;
    const { experiment, execution, reviewer, outcome, repeat_of: first } = data.review;
    const file = join(experiment, "reviews", reviewFile(data.review));
    const problem = await compareFile(join(folder, file), canonicalJson(data.review));
    if (problem !== undefined) found.add("review_changed", join("experiments", file), problem);
    const author = authors.get(experiment);
    if (author === undefined || sharesLineage(author, reviewer))
      found.add(
        "review_not_independent",
        experiment,
        `${reviewer} reviewed it and is not outside the lineage of its author ${author ?? "(unknown)"}.`,
      );
    for (const each of [data.review, ...(first ? [first] : [])]) {
      const executor = executors.get(keyOf(each));
      if (executor !== undefined && sharesLineage(executor, reviewer))
        found.add(
          "review_not_independent",
          experiment,
          `${reviewer} reviewed it and is not outside the lineage of ${executor}, ` +
            `who made execution ${each.execution} of ${each.experiment}.`,
        );
    }
    const judged = finished.find((each) => each.data.experiment === experiment && each.data.execution === execution && each.seq < seq);
    if (judged?.data.outcome !== outcome)
      found.add(
        "verdict_unfounded",
        experiment,
        `The review by ${reviewer} speaks of an outcome ${outcome} that execution ${execution} did not have by then.`,
      );
  }
  for (const { data } of facts.of("hypothesis_moved")) {
    // The review is recorded right behind the move that it makes.
    const isReviewed = reviews.some(
      ({ data: { review } }) => review.experiment === data.because && review.verdict === data.to && review.reviewer === data.agent,
    );
    if (Verdict.safeParse(data.to).success && !isReviewed)
      found.add("verdict_unfounded", data.hypothesis, `It was moved to ${data.to} without a review that says so.`);
  }
}

function keyOf({ experiment, execution }: { experiment: string; execution: number }): string {
  return `${experiment} ${execution}`;
}
