import { z } from "zod";
import type { RunEvent } from "../../domain/events.ts";
import type { ToolOutput } from "../../domain/ports.ts";
import { goalGap } from "../decide/stop.ts";
import { describeStanding, roomFor } from "../prompts/standing.ts";
import { event } from "../run-log.ts";
import { openIteration } from "../supervise.ts";
import { askPerson } from "./ask-person.ts";
import { defineTool, refusal, say, type ToolCallContext } from "./tool.ts";

const Input = z.strictObject({
  action: z.enum(["status", "close_iteration", "ask_user", "finish"]),
  reason: z.string().max(2000).optional().describe("for close_iteration and finish: what the iteration brought, by ids"),
  closed_questions: z
    .array(
      z.strictObject({
        question: z.string(),
        answer: z.string().min(1).max(2000),
        by: z.array(z.string()).min(1).max(20).describe("ids the answer rests on"),
      }),
    )
    .max(30)
    .default([]),
  method_error: z.string().max(2000).optional().describe("a critical error of method that makes going on pointless"),
  external_only: z.boolean().default(false).describe("true: all that is open needs something from outside that the run cannot get"),
  prompt: z.string().max(4000).optional().describe("for ask_user: the decision the person has to take"),
  options: z
    .array(z.strictObject({ label: z.string().max(200), value: z.string().max(200) }))
    .max(20)
    .default([]),
});
type Input = z.output<typeof Input>;

export const researchControl = defineTool({
  name: "research_control",
  description:
    "status: what is known so far, with ids. close_iteration: ends this iteration. ask_user: puts a decision to the person. finish: the question is answered as well as it can be; code agrees only if something is verified.",
  input: Input,
  class: "reconcilable",
  async run(input, context) {
    switch (input.action) {
      case "status":
        return say(describeStanding(context.run.log.state, roomFor(context.run.models.supervisor)));
      case "ask_user":
        return input.prompt ? askPerson(input.prompt, input.options, context) : refusal("ask_user needs a prompt.");
      case "close_iteration":
      case "finish":
        return closeIteration(input, context);
    }
  },
});

async function closeIteration(input: Input, context: ToolCallContext): Promise<ToolOutput> {
  const { run, agent, call } = context;
  const { state } = run.log;
  const done = state.iterations.find((each) => each.call === call);
  if (done) return { ...say(`Iteration ${done.iteration} is closed.`), endsTurn: true };
  const iteration = openIteration(run);
  if (iteration === undefined) return { ...refusal("This iteration is closed already. End your turn."), endsTurn: true };
  if (!input.reason) return refusal(`${input.action} needs a reason: what the iteration brought, by ids.`);
  const unknown = input.closed_questions.flatMap(({ question, by }) => [
    ...(state.questions.has(question) ? [] : [question]),
    ...by.filter((id) => !isKnown(id, context)),
  ]);
  if (unknown.length > 0) return refusal(`These ids do not exist: ${unknown.join(", ")}. research_control status shows those that do.`);
  const gap = input.action === "finish" ? goalGap(state) : undefined;
  if (gap !== undefined) return refusal(`The goal is not achieved yet: ${gap}. Or use close_iteration.`);
  const closed: RunEvent[] = input.closed_questions.map(({ question, by, answer }) =>
    event("question_closed", { agent, question, by, answer }),
  );
  await run.log.record(...closed);
  const claim =
    input.action === "finish" ? "goal_achieved" : input.method_error ? "method_error" : input.external_only ? "external_only" : "continue";
  const reason = input.method_error ?? input.reason;
  await run.log.record(event("iteration_closed", { iteration, by: "supervisor", call, claim, reason, progress: { ...state.progress } }));
  return { ...say(`Iteration ${iteration} is closed.`), endsTurn: true };
}

function isKnown(id: string, { run }: ToolCallContext): boolean {
  const { findings, experiments, hypotheses, sources } = run.log.state;
  return (
    findings.has(id) ||
    experiments.has(id) ||
    hypotheses.has(id) ||
    [...sources.keys()].some((source) => source.startsWith(id) && id.length >= 8)
  );
}
