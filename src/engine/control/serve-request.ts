import { HypoError } from "../../domain/errors.ts";
import { ROOT_AGENT } from "../../domain/ids.ts";
import { forkBranch } from "../branches.ts";
import type { Journal } from "../journal/journal.ts";
import type { LiveBranch } from "../live-branch.ts";
import { isFinished, type AgentState, type RunState } from "../state/run-state.ts";
import type { ControlRequest } from "./request.ts";

type RequestTo<What extends ControlRequest["do"]> = Extract<ControlRequest, { do: What }>;

/** Does what another terminal asks of a live run, and says what was done. Throws HypoError where it refuses. */
export async function serveRequest(request: ControlRequest, branches: readonly LiveBranch[], journal: Journal): Promise<string> {
  switch (request.do) {
    case "pause":
    case "unpause":
      return changePace(request, branches);
    case "steer":
      return steer(request, branches);
    case "cancel":
      return cancel(request, branches);
    case "fork": {
      const { from, name, reason } = request;
      const done = await forkBranch(journal, { from, name, reason });
      return done === "forked" ? `Branch ${name} begins after fact ${from}.` : `Branch ${name} begins after fact ${from} already.`;
    }
  }
}

async function changePace({ do: what, branch }: RequestTo<"pause"> | RequestTo<"unpause">, branches: readonly LiveBranch[]) {
  const meant = branch === undefined ? branches : [liveBranch(branch, branches)];
  const changed: string[] = [];
  for (const each of meant) if (await (what === "pause" ? each.pause() : each.unpause())) changed.push(each.name);
  const isPause = what === "pause";
  if (changed.length === 0) return isPause ? "It was paused already." : "It was not paused.";
  return `${isPause ? "Paused" : "Goes on"}: ${changed.join(", ")}.`;
}

function steer({ id, agent, message, branch }: RequestTo<"steer">, branches: readonly LiveBranch[]): string {
  const { tree, name } = branchOfAgent(agent, branch, branches);
  const worker = tree.worker(agent);
  if (!worker) {
    throw new HypoError("refused", `${agent} is not at work on ${name}: it waits to be started.`, { hint: "Steer its parent instead." });
  }
  if (!worker.send({ by: "person", message: `Message from the person who asked the question: ${message}`, request: id })) {
    throw new HypoError("refused", `${agent} is just ending on ${name} and reads nothing any more.`, {
      hint: "`hypo show` lists the agents.",
    });
  }
  return `${agent} gets the message with its next step.`;
}

async function cancel({ agent, subtree, branch }: RequestTo<"cancel">, branches: readonly LiveBranch[]): Promise<string> {
  if (agent === ROOT_AGENT)
    throw new HypoError("refused", "The supervisor cannot be cancelled.", { hint: "`hypo stop` saves and ends the run." });
  const { tree, state } = branchOfAgent(agent, branch, branches);
  const below = tree.unfinishedBelow(agent);
  if (below.length > 0 && !subtree) {
    throw new HypoError("refused", `${agent} has ${below.length} unfinished agents below it, which would end with it.`, {
      hint: "Cancel them all with --subtree.",
    });
  }
  const ended = await tree.cancel(agent, "cancelled by a person");
  if (ended.length > 0) return `Cancelled: ${ended.join(", ")}.`;
  throw new HypoError("refused", `${agent} has ended by itself (${state.agents.get(agent)?.status ?? "unknown"}).`, {
    hint: "`hypo show` tells what it brought.",
  });
}

/** The branch on which an unfinished agent of this id lives. */
function branchOfAgent(agent: string, branch: string | undefined, branches: readonly LiveBranch[]): LiveBranch {
  const meant = branch === undefined ? branches : [liveBranch(branch, branches)];
  return onlyBranch(
    agent,
    meant.map((each) => ({ branch: each, name: each.name, state: each.state })),
  ).branch;
}

/**
 * The one of several branches on which an agent is unfinished.
 *
 * @throws HypoError `not_found` for an unknown agent, `refused` for one that has ended, `usage` where there are several
 */
export function onlyBranch<Branch extends { name: string; state: RunState }>(agent: string, branches: readonly Branch[]): Branch {
  const having = branches.flatMap((branch) => {
    const found = branch.state.agents.get(agent);
    return found ? [{ branch, found }] : [];
  });
  const [first] = having;
  if (!first) throw unknownAgent(agent, branches);
  const [only, ...others] = having.filter(({ found }) => !isFinished(found));
  if (!only) throw new HypoError("refused", `${agent} has ended (${first.found.status}).`, { hint: "`hypo show` lists the agents." });
  if (others.length === 0) return only.branch;
  throw new HypoError(
    "usage",
    `${agent} is at work on several branches: ${[only, ...others].map(({ branch }) => branch.name).join(", ")}.`,
    {
      hint: "Say which with --branch.",
    },
  );
}

function unknownAgent(agent: string, branches: readonly { state: RunState }[]): HypoError {
  const open = new Set(branches.flatMap(({ state }) => [...state.agents.values()].filter(isOpen).map(({ id }) => id)));
  return new HypoError("not_found", `There is no agent ${JSON.stringify(agent)}.`, {
    hint: `Unfinished are: ${[...open].slice(0, 40).join(", ") || "none"}.`,
  });
}

function isOpen(agent: AgentState): boolean {
  return !isFinished(agent);
}

function liveBranch(name: string, branches: readonly LiveBranch[]): LiveBranch {
  const found = branches.find((branch) => branch.name === name);
  if (found) return found;
  throw new HypoError("refused", `Branch ${name} is not at work.`, {
    hint: `At work: ${branches.map((branch) => branch.name).join(", ")}.`,
  });
}
