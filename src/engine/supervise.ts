import type { RunState } from "./state/run-state.ts";
import { ROOT_AGENT } from "../domain/ids.ts";
import { FIRST_PROMPT, type AgentWorker } from "./agent/agent-worker.ts";
import { decideStop, isResumable, type Stop } from "./decide/stop.ts";
import { closePrompt, iterationPrompt } from "./prompts/agent-prompts.ts";
import { roomFor } from "./prompts/standing.ts";
import { recallLessons } from "./prompts/lessons.ts";
import type { RunContext } from "./run-context.ts";
import { event } from "./run-log.ts";

const ITERATION = "iteration";
const CLOSE = "close";

/**
 * The loop of a run: one iteration after the other until a coded condition stops it. Gives the stop, or undefined
 * when the supervisor's work was cut short. What the journal holds is played first; nothing is decided meanwhile.
 */
export async function supervise(run: RunContext, root: AgentWorker): Promise<Stop | undefined> {
  await root.open();
  while (root.hasRecordedPrompt && !root.ending) await root.replayPrompt();
  for (;;) {
    const { state } = run.log;
    const circle = describeCircle(root);
    if (root.ending && !circle) return undefined;
    if (state.stopping) return state.stopping;
    const stop =
      circle ?? callFailure(root) ?? (openIteration(run) === undefined ? decideStop(state, run.clock.now().getTime()) : undefined);
    if (stop) {
      if (!isResumable(stop)) await run.log.record(event("run_stopping", stop));
      return stop;
    }
    await takeStep(run, root, state);
  }
}

/** The number of the iteration that is under way; undefined between iterations. */
export function openIteration(run: RunContext): number | undefined {
  const asked = countAsked(run.tree.worker(ROOT_AGENT));
  return asked > run.log.state.iterations.length ? asked : undefined;
}

function countAsked(root: AgentWorker | undefined): number {
  return (root?.asked ?? []).filter((tag) => tag === FIRST_PROMPT || tag === ITERATION).length;
}

async function takeStep(run: RunContext, root: AgentWorker, state: RunState): Promise<void> {
  const iteration = openIteration(run);
  if (await root.askWaiting()) return;
  if (iteration === undefined) {
    const lessons = state.iterations.length === 0 ? await recallLessons(run) : "";
    await root.ask(iterationPrompt(state, state.iterations.length + 1, lessons, roomFor(run.models.supervisor)), ITERATION);
  } else if (root.asked.at(-1) !== CLOSE) await root.ask(closePrompt(iteration), CLOSE);
  else {
    const reason = "the supervisor ended its turn twice without closing the iteration";
    await run.log.record(
      event("iteration_closed", { iteration, by: "engine", call: null, claim: "none", reason, progress: { ...state.progress } }),
    );
  }
}

/** A supervisor that goes round in a circle ends the run, as it ends any other agent. */
function describeCircle({ ending }: AgentWorker): Stop | undefined {
  if (!ending || "suspended" in ending || ending.outcome !== "failed") return undefined;
  return { reason: "no_progress", detail: `the supervisor was ended: ${ending.reason}` };
}

/** A model that cannot be asked any more ends the run, by the reason that it cannot. */
function callFailure({ callError }: AgentWorker): Stop | undefined {
  if (!callError || callError.reason === "aborted") return undefined;
  return { reason: callError.reason, detail: callError.message };
}
