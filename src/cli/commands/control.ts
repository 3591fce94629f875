import { askProcess, leaveRequest, type Asked } from "../../engine/control/ask-process.ts";
import { onlyBranch } from "../../engine/control/serve-request.ts";
import { lockHolder } from "../../engine/journal/lock.ts";
import { writeJson, writeOut, type Io } from "../io.ts";
import { findProject } from "../project/project.ts";
import { askOptions } from "../runs/ask-options.ts";
import { findRun, type RunPlace } from "../runs/find-run.ts";
import { folderOf } from "../runs/hold-run.ts";
import { branchStates } from "../runs/read-run.ts";
import type { Stores } from "../stores.ts";
import type { CancelOptions, ControlOptions, SteerOptions } from "./options.ts";

/** Has the agents of a run at work ask no model until `hypo unpause`. */
export async function pauseCommand(options: ControlOptions, io: Io): Promise<number> {
  return ask(options, { do: "pause", ...branchOf(options) }, io);
}

export async function unpauseCommand(options: ControlOptions, io: Io): Promise<number> {
  return ask(options, { do: "unpause", ...branchOf(options) }, io);
}

/** Ends one agent of a run at work, or with `subtree` all below it too. */
export async function cancelCommand(options: CancelOptions, io: Io): Promise<number> {
  const { agent, subtree } = options;
  return ask(options, { do: "cancel", agent, subtree, ...branchOf(options) }, io);
}

/** Sends an agent a message. That for a run which is not at work is kept until it is resumed. */
export async function steerCommand(options: SteerOptions, io: Io, stores: Stores): Promise<number> {
  const place = await findRun(await findProject(io.cwd), options.run);
  const { agent, message } = options;
  const asked: Asked = { do: "steer", agent, message, ...branchOf(options) };
  if (await lockHolder(place.folder)) {
    const checkLeft = (id: string): Promise<void> => checkMessage(id, place, options, stores);
    return sayAnswer(place, options, await askProcess(folderOf(place), asked, { ...askOptions(), checkLeft }), io);
  }
  const branch = await findBranch(place, options, stores);
  await leaveRequest(folderOf(place), { ...asked, branch }, askOptions());
  return sayAnswer(place, options, `${agent} gets the message when the run goes on: hypo resume ${place.id} --branch ${branch}`, io);
}

/** A message that a process has left unanswered was delivered all the same, or waits for an agent that has not ended. */
async function checkMessage(id: string, place: RunPlace, options: SteerOptions, stores: Stores): Promise<void> {
  const { ledger } = await stores.readRun(place.folder, place.id);
  if (!ledger.delivered.has(id)) await findBranch(place, options, stores);
}

async function findBranch({ folder, id }: RunPlace, { agent, branch }: SteerOptions, stores: Stores): Promise<string> {
  const journal = await stores.readRun(folder, id);
  const branches = branch === undefined ? await branchStates(journal) : [{ name: branch, state: await journal.state(branch) }];
  return onlyBranch(agent, branches).name;
}

async function ask(options: ControlOptions, asked: Asked, io: Io): Promise<number> {
  const place = await findRun(await findProject(io.cwd), options.run);
  return sayAnswer(place, options, await askProcess(folderOf(place), asked, askOptions()), io);
}

function sayAnswer({ id }: RunPlace, { json }: ControlOptions, message: string, io: Io): number {
  if (json) writeJson(io, { run: id, message });
  else writeOut(io, message);
  return 0;
}

function branchOf({ branch }: ControlOptions): { branch?: string } {
  return branch === undefined ? {} : { branch };
}
