import { HypoError } from "../domain/errors.ts";
import type { EventData, RunEvent } from "../domain/events.ts";
import { ROOT_AGENT } from "../domain/ids.ts";
import type { Budget, Limits } from "../domain/limits.ts";
import { classOf, describeChange, findChanges, type Change, type RunBasis } from "./decide/changes.ts";
import { event } from "./run-log.ts";
import type { RunState } from "./state/run-state.ts";

/** Limits raised for a resumed run; what is left out stays. */
export interface Raise {
  limits: Partial<Limits>;
  budget: Partial<Budget>;
}

export interface TakeOver {
  raise: Raise;
  /** True where the person has seen that what follows is made under other instructions or settings, and wants it. */
  acceptChanges: boolean;
}

const BY_A_LIMIT = new Set(["budget_exhausted", "wall_time", "iteration_limit"]);

/**
 * The fact of a new process taking over a branch, with what has changed since its last fact, or why it may not.
 *
 * @throws HypoError `refused` for a branch that is over, stale changes that nobody accepted, and broken ones.
 */
export function takeOver(state: RunState, basis: RunBasis, { raise, acceptChanges }: TakeOver): { resumed: RunEvent; changes: Change[] } {
  const limits = Object.keys(raise.limits).length > 0 ? { ...state.limits, ...raise.limits } : undefined;
  const budget = Object.keys(raise.budget).length > 0 ? { ...state.budget, ...raise.budget } : undefined;
  const reopens = state.finish !== undefined;
  refuseIfOver(state, limits !== undefined || budget !== undefined);
  const changes = findChanges(state, basis);
  // Where nobody has said anything yet, nothing was made with what has changed.
  if (state.agents.get(ROOT_AGENT)?.status !== "spawned") refuseChanges(changes, acceptChanges);
  const raised: EventData<"run_resumed">["changes"] = [
    ...(budget ? [{ what: "budget", from: state.budget, to: budget }] : []),
    ...(limits ? [{ what: "limits", from: state.limits, to: limits }] : []),
  ];
  const resumed = event("run_resumed", {
    reason: reopens ? "its limit was raised" : "a new process takes over",
    hypo: basis.hypo,
    pi: basis.pi,
    prompts_sha256: basis.prompts,
    ...(basis.config ? { config: basis.config } : {}),
    changes: [...changes, ...raised],
    ...(limits ? { limits } : {}),
    ...(budget ? { budget } : {}),
    ...(reopens ? { reopens: true } : {}),
  });
  return { resumed, changes };
}

function refuseIfOver({ finish: over, run }: RunState, isRaised: boolean): void {
  if (!over || (BY_A_LIMIT.has(over.reason) && isRaised)) return;
  const hint = BY_A_LIMIT.has(over.reason)
    ? "Raise the limit that stopped it, for example `--max-cost`, `--max-time` or `--max-iterations`."
    : "Read its report with `hypo show`, ask a new question with `hypo run`, or go back with `hypo fork` or `hypo rewind`.";
  throw new HypoError("refused", `Run ${run} is over (${over.reason}: ${over.detail}).`, { hint });
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
