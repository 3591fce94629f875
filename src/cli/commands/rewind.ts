import { HypoError } from "../../domain/errors.ts";
import type { Fact } from "../../domain/events.ts";
import { rewindBranch } from "../../engine/branches.ts";
import { findRewindPoint, isMilestone, type RewindTarget } from "../../engine/decide/rewind-point.ts";
import { lockHolder } from "../../engine/journal/lock.ts";
import type { RunBasis } from "../../engine/decide/changes.ts";
import { basisOf } from "../../engine/run-setup.ts";
import { RunFollower } from "../follow-run.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { StartGuard } from "../start-guard.ts";
import { findProject, type Project } from "../project/project.ts";
import { findRun, projectOf, type RunPlace } from "../runs/find-run.ts";
import { withJournal } from "../runs/hold-run.ts";
import { refuseByHand } from "../runs/refuse-by-hand.ts";
import { openWorldOf } from "../runs/open-world-of.ts";
import { NO_CAPS, type RewindOptions } from "./options.ts";
import { resumeCommand } from "./resume.ts";

/** Puts the head of a branch back, and sets it to work if that is asked. Nothing that was recorded is removed. */
export async function rewindCommand(options: RewindOptions, io: Io): Promise<number> {
  const place = await findRun(await findProject(io.cwd), options.run);
  const project = projectOf(place);
  await refuseByHand(place, "rewound");
  await refuseIfAtWork(place);
  const { branch } = options;
  const target = await targetOf(options, project, place, io);
  const { from, to, done } = await withJournal(place, io, async (journal) => {
    const from = journal.head(branch);
    const facts: Fact[] = [];
    for await (const fact of journal.ancestry(branch)) if (isMilestone(fact, target)) facts.push(fact);
    const point = findRewindPoint(facts, from, target);
    return { from, to: point, done: await rewindBranch(journal, branch, point, reasonOf(options)) };
  });
  sayDone(options, place.id, { from, to, isMoved: done === "rewound" }, io);
  if (!options.start) return 0;
  const resumption = { ...options, ...NO_CAPS, run: place.id, branches: [branch], acceptChanges: false, onGate: undefined };
  return resumeCommand(resumption, io, new StartGuard((line) => writeErr(io, line)));
}

async function refuseIfAtWork({ id, folder }: RunPlace): Promise<void> {
  const holder = await lockHolder(folder);
  if (!holder) return;
  throw new HypoError("run_locked", `Process ${holder.pid} is at work on the run, and only a stopped one can be rewound.`, {
    hint: `Stop it with \`hypo stop ${id}\`, or begin a branch beside it with \`hypo fork\`.`,
  });
}

async function targetOf(options: RewindOptions, project: Project, place: RunPlace, io: Io): Promise<RewindTarget> {
  const { to, toAgent, toIteration, mode } = options;
  if (to !== undefined) return { to: "fact", seq: to, mode };
  if (toAgent !== undefined) return { to: "agent", agent: toAgent, mode };
  if (toIteration !== undefined) return { to: "iteration", iteration: toIteration, mode };
  return { to: "compatible", basis: await presentBasis(options, project, place, io) };
}

/** What this program would go on with: it takes the models to be there. */
async function presentBasis(options: RewindOptions, project: Project, place: RunPlace, io: Io): Promise<RunBasis> {
  const { json, debug, agentDir } = options;
  const follower = new RunFollower({ json, debug, agentDir, onGate: undefined, project, io });
  const world = await openWorldOf(place, { agentDir, onGate: undefined }, { project, io, follower });
  try {
    return basisOf(world.setup);
  } finally {
    await world.close();
  }
}

function reasonOf({ reason, to, toAgent, toIteration, mode }: RewindOptions): string {
  if (reason !== undefined) return reason;
  const what =
    to !== undefined
      ? `fact ${to}`
      : toAgent !== undefined
        ? `agent ${toAgent}`
        : toIteration !== undefined
          ? `iteration ${toIteration}`
          : "";
  return what === "" ? "rewound to what fits this hypo" : `rewound to ${mode} ${what}`;
}

function sayDone(
  { json, branch, start }: RewindOptions,
  run: string,
  { from, to, isMoved }: { from: number; to: number; isMoved: boolean },
  io: Io,
): void {
  if (json && !start) writeJson(io, { run, branch, from, head: to, moved: isMoved });
  else {
    const done = isMoved
      ? `The head of ${branch} went from fact ${from} back to ${to}.`
      : `The head of ${branch} is at fact ${to} already.`;
    if (start) writeErr(io, done);
    else writeOut(io, `${done} Set it to work with: hypo resume ${run} --branch ${branch}`);
  }
}
