import { HypoError } from "../domain/errors.ts";
import type { EventData, RunEvent } from "../domain/events.ts";
import { ROOT_AGENT } from "../domain/ids.ts";
import { classOf, describeChange, findChanges, type Change, type RunBasis } from "./decide/changes.ts";
import { decideReopening, optionsToReopen, type Raise, type Reopening } from "./decide/reopen.ts";
import { event } from "./run-log.ts";
import type { RunState } from "./state/run-state.ts";

export interface TakeOver {
  raise: Raise;
  /** True where the person has seen that what follows is made under other instructions or settings, and wants it. */
  acceptChanges: boolean;
}

/**
 * The fact of a new process taking over a branch, with what has changed since its last fact, or why it may not.
 *
 * @throws HypoError `refused` for a branch that is over, stale changes that nobody accepted, and broken ones.
 */
export function takeOver(state: RunState, basis: RunBasis, { raise, acceptChanges }: TakeOver): { resumed: RunEvent; changes: Change[] } {
  const limits = Object.keys(raise.limits).length > 0 ? { ...state.limits, ...raise.limits } : undefined;
  const budget = Object.keys(raise.budget).length > 0 ? { ...state.budget, ...raise.budget } : undefined;
  const reopening = state.finish && reopen(state, raise);
  const changes = findChanges(state, basis);
  // Where nobody has said anything yet, nothing was made with what has changed.
  if (state.agents.get(ROOT_AGENT)?.status !== "spawned") refuseChanges(changes, acceptChanges);
  const raised: EventData<"run_resumed">["changes"] = [
    ...(budget ? [{ what: "budget", from: state.budget, to: budget }] : []),
    ...(limits ? [{ what: "limits", from: state.limits, to: limits }] : []),
  ];
  const resumed = event("run_resumed", {
    reason: reasonOf(reopening),
    hypo: basis.hypo,
    pi: basis.pi,
    prompts_sha256: basis.prompts,
    ...(basis.config ? { config: basis.config } : {}),
    changes: [...changes, ...raised],
    ...(limits ? { limits } : {}),
    ...(budget ? { budget } : {}),
    ...(reopening ? { reopens: true } : {}),
    ...(reopening === "report" ? { only_report: true } : {}),
  });
  return { resumed, changes };
}

/** What a run that is over goes on with; refused where nothing that ended it is raised. */
function reopen(state: RunState, raise: Raise): Reopening {
  const reopening = decideReopening(state, raise);
  if (reopening) return reopening;
  const options = optionsToReopen(state);
  const hint =
    options.length > 0
      ? `Raise the limit that stopped it: ${options.join(", or ")}.`
      : "Read its report with `hypo show`, ask a new question with `hypo run`, or go back with `hypo fork` or `hypo rewind`.";
  throw new HypoError("refused", `Run ${state.run} is over (${state.finish?.reason}: ${state.finish?.detail}).`, { hint });
}

function reasonOf(reopening: Reopening | undefined): string {
  if (reopening === undefined) return "a new process takes over";
  return reopening === "report" ? "the limit that kept it from its report was raised" : "its limit was raised";
}

function refuseChanges(changes: Change[], isAccepted: boolean): void {
  const rated = classOf(changes);
  if (rated === "compatible" || (rated === "stale" && isAccepted)) return;
  const list = changes.map((change) => `  ${describeChange(change)}`).join("\n");
  const hint =
    rated === "stale"
      ? "Go on all the same with --accept-changes, or go back to what was made as now with `hypo rewind <run> --branch <name> --to-compatible`."
      : "Go on with the version it was made with, or begin anew with `hypo rewind <run> --branch <name> --to-compatible`.";
  throw new HypoError("refused", `What the run was made with has changed (${rated}):\n${list}`, { hint });
}
