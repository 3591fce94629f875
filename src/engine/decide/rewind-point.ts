import type { Fact } from "../../domain/events.ts";
import { HypoError } from "../../domain/errors.ts";
import { ROOT_AGENT } from "../../domain/ids.ts";
import { classOf, findChanges, type RunBasis } from "./changes.ts";

/** Where to go back to. `after` keeps what is named and drops what came later; `before` drops what is named too. */
export type RewindTarget =
  | { to: "fact"; seq: number; mode: RewindMode }
  | { to: "agent"; agent: string; mode: RewindMode }
  | { to: "iteration"; iteration: number; mode: RewindMode }
  /** The latest fact up to which nothing was made with instructions or settings that differ from those of now. */
  | { to: "compatible"; basis: RunBasis };
export type RewindMode = "before" | "after";

/** What opens an iteration: the supervisor's first prompt, and its later ones of this kind. */
const ITERATION = "iteration";

const MILESTONES = new Set<Fact["type"]>([
  "run_started",
  "run_resumed",
  "agent_spawned",
  "agent_started",
  "agent_steered",
  "agent_finished",
  "iteration_closed",
]);

/** True for the facts of a branch that `findRewindPoint` has to see; the others, of a long run most, need not be kept. */
export function isMilestone(fact: Fact, target: RewindTarget): boolean {
  if (target.to === "fact" && fact.seq === target.seq) return true;
  return MILESTONES.has(fact.type) || (fact.type === "tool_finished" && fact.data.tool === "research_control");
}

/**
 * The fact that the head of a branch is to be put at.
 *
 * @param facts the milestones on the branch's ancestry, oldest first
 * @param head where the branch's head is
 * @throws HypoError `not_found` where the branch has no such thing, `refused` where it has not ended yet
 */
export function findRewindPoint(facts: readonly Fact[], head: number, target: RewindTarget): number {
  switch (target.to) {
    case "fact":
      return pointAt(facts, target.seq, target.mode);
    case "agent":
      return pointAtAgent(facts, target.agent, target.mode);
    case "iteration":
      return pointAtIteration(facts, target.iteration, target.mode);
    case "compatible":
      return lastCompatible(facts, head, target.basis);
  }
}

function pointAt(facts: readonly Fact[], seq: number, mode: RewindMode): number {
  const fact = facts.find((each) => each.seq === seq);
  if (!fact) {
    throw new HypoError("not_found", `Fact ${seq} does not lie on this branch.`, {
      hint: "`hypo log <run> --branch <name>` shows those that do; `hypo fork` begins a branch at any fact.",
    });
  }
  return mode === "after" ? seq : fact.parent;
}

function pointAtAgent(facts: readonly Fact[], agent: string, mode: RewindMode): number {
  const spawned = facts.find((fact) => fact.type === "agent_spawned" && fact.data.agent === agent);
  if (!spawned)
    throw new HypoError("not_found", `There is no agent ${JSON.stringify(agent)} on this branch.`, {
      hint: "`hypo show` lists the agents.",
    });
  if (mode === "before") return spawned.parent;
  const ended = facts.find((fact) => fact.type === "agent_finished" && fact.data.agent === agent);
  if (ended) return ended.seq;
  throw new HypoError("refused", `${agent} has not ended, so there is nothing after it.`, {
    hint: "Use --mode before, or name a fact with --to.",
  });
}

function pointAtIteration(facts: readonly Fact[], iteration: number, mode: RewindMode): number {
  const openings = facts.filter(opensIteration);
  const opening = openings[iteration - 1];
  if (!opening) {
    throw new HypoError("not_found", `There is no iteration ${iteration} on this branch.`, { hint: `It has begun ${openings.length}.` });
  }
  if (mode === "before") return opening.parent;
  const next = openings[iteration];
  if (next) return next.parent;
  const closed = facts.find((fact) => fact.type === "iteration_closed" && fact.data.iteration === iteration);
  if (closed?.type !== "iteration_closed") {
    throw new HypoError("refused", `Iteration ${iteration} has not been closed, so there is nothing after it.`, {
      hint: "Use --mode before, or name a fact with --to.",
    });
  }
  // With the result of the call that closed it, so that the supervisor's turn has ended when the branch goes on.
  const { call } = closed.data;
  const result = facts.find((fact) => fact.type === "tool_finished" && fact.data.agent === ROOT_AGENT && fact.data.call === call);
  return (result ?? closed).seq;
}

function opensIteration(fact: Fact): boolean {
  if (fact.type === "agent_started") return fact.data.agent === ROOT_AGENT;
  return fact.type === "agent_steered" && fact.data.agent === ROOT_AGENT && fact.data.request === ITERATION;
}

/** Nothing has been said before the supervisor's first prompt, so that much fits any program. */
function lastCompatible(facts: readonly Fact[], head: number, now: RunBasis): number {
  let basis: RunBasis | undefined;
  for (const fact of facts) {
    if (fact.type === "run_started") {
      const { hypo, pi, prompts_sha256: prompts, config } = fact.data;
      basis = { hypo, pi, prompts, config };
    } else if (fact.type === "run_resumed" && basis) {
      const { hypo = basis.hypo, pi = basis.pi, prompts_sha256: prompts = basis.prompts, config = basis.config } = fact.data;
      basis = { hypo, pi, prompts, config };
      if (!fits(basis, now)) return fact.parent;
    } else if (fact.type === "agent_spawned" && fact.data.parent === null && basis && !fits(basis, now)) return fact.seq;
  }
  return head;
}

function fits(basis: RunBasis, now: RunBasis): boolean {
  return classOf(findChanges(basis, now)) === "compatible";
}
