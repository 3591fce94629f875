import { z } from "zod";
import { Verdict } from "../../domain/finding.ts";
import { decideReview } from "../decide/experiment.ts";
import { defineTool, refusal, say } from "./tool.ts";

export const reviewExperiment = defineTool({
  name: "review_experiment",
  description:
    "Records your independent verdict on an experiment that has run. Look at its plan, code, metrics and logs first (read_artifact). You must be outside the lineages of its author and of the agent that ran it.",
  input: z.strictObject({
    experiment: z.string(),
    verdict: Verdict,
    summary: z.string().min(10).max(4000).describe("what was tested, what came out, why this verdict"),
    limitations: z.array(z.string().max(1000)).max(20).default([]),
    disagreement_reason: z.string().max(2000).optional().describe("needed where your verdict says otherwise than the frozen criteria"),
  }),
  class: "reconcilable",
  async run(input, { run, agent, call, began }) {
    const experiment = run.log.state.experiments.get(input.experiment);
    if (!experiment) return refusal(`There is no experiment ${input.experiment}.`);
    const done = experiment.reviews.find((review) => review.reviewer === agent);
    // The call may have been cut off between the fact and the file.
    if (done) await run.ports.sandbox.saveReview(done);
    if (done) return say(`You have reviewed ${experiment.id}: ${done.verdict}.`);
    const draft = {
      reviewer: agent,
      verdict: input.verdict,
      summary: input.summary,
      limitations: input.limitations,
      disagreementReason: input.disagreement_reason,
    };
    const decision = decideReview(run.log.state, run.log.ledger, experiment, draft, began);
    if ("refused" in decision) return refusal(decision.refused);
    await run.log.record(...decision.events(call));
    await run.ports.sandbox.saveReview(decision.review);
    const { verdict, outcome, disagrees, repeat_of } = decision.review;
    const repeat = repeat_of ? `; of a repeat, since execution ${repeat_of.execution} of ${repeat_of.experiment} decided first` : "";
    return say(`Recorded: ${verdict} (criteria: ${outcome})${disagrees ? "; the disagreement will be shown" : ""}${repeat}.`);
  },
});
