import type { AgentOutcome } from "../../domain/agent.ts";
import type { TurnEnd } from "../../domain/ports.ts";
import { describeResults, firstPrompt } from "../prompts/agent-prompts.ts";
import type { RunContext } from "../run-context.ts";
import type { AgentWorker } from "./agent-worker.ts";

const ASK_FOR_RESULT = "result";
const CHILDREN_ENDED = "children";

export interface TaskEnd {
  outcome: AgentOutcome;
  result: string;
  reason?: string;
}

/** A child's whole working life: its task, its children's results, and a result of its own, asked for once more if need be. */
export async function workOnTask(run: RunContext, worker: AgentWorker): Promise<TaskEnd> {
  await worker.open();
  let turn = await worker.ask(firstPrompt(worker.state.spec, run.log.state), "first");
  for (;;) {
    if (worker.hasRecordedPrompt && !worker.ending) turn = await worker.replayPrompt();
    else {
      const next = await takeNextStep(run, worker, turn);
      if ("outcome" in next) return next;
      turn = next;
    }
  }
}

async function takeNextStep(run: RunContext, worker: AgentWorker, turn: TurnEnd): Promise<TaskEnd | TurnEnd> {
  const { ending, callError } = worker;
  if (ending) return "suspended" in ending ? { outcome: "interrupted", result: "" } : { ...ending, result: turn.text };
  if (callError?.endsRun) run.fail(callError);
  if (turn.error !== undefined)
    return { outcome: "failed", result: "", reason: callError ? `${callError.reason}: ${turn.error}` : turn.error };
  const answered = await worker.askWaiting();
  if (answered) return answered;
  const below = run.tree.unfinishedBelow(worker.id).filter((agent) => agent.mode !== "deferred" || agent.status !== "spawned");
  if (below.length > 0)
    return passOnResults(
      run,
      worker,
      below.filter((agent) => agent.parent === worker.id).map((agent) => agent.id),
    );
  if (turn.text !== "") return { outcome: "completed", result: turn.text };
  if (!worker.asked.includes(ASK_FOR_RESULT)) {
    return worker.ask(
      "You ended without a result. Write your result now as plain text: what you found, with the ids of findings and " +
        "experiments, and what stays open.",
      ASK_FOR_RESULT,
    );
  }
  return { outcome: "no_result", result: "", reason: "it ended twice without a result" };
}

/** Waits for children that still work, and hands over what they found. */
async function passOnResults(run: RunContext, worker: AgentWorker, children: string[]): Promise<TurnEnd> {
  try {
    const ended = await Promise.all(children.map((child) => run.tree.waitFor(child, worker.signal)));
    return await worker.ask(`${describeResults(ended, run.log.state)}\n\nTake this into account and write your result.`, CHILDREN_ENDED);
  } catch (error) {
    if (worker.ending) return { text: "", aborted: true, error: undefined };
    throw error;
  }
}
