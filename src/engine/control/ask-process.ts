import { rm } from "node:fs/promises";
import { HypoError } from "../../domain/errors.ts";
import type { Clock } from "../../domain/ports.ts";
import { isElsewhere } from "../../files/process-identity.ts";
import { lockHolder } from "../journal/lock.ts";
import type { RunFolder } from "../run-folder.ts";
import { makeRequestId, readAnswer, refusalOf, requestFile, writeRequestFile, type ControlAnswer, type ControlRequest } from "./request.ts";

const POLL_MS = 20;
const LONGEST_WAIT_MS = 5000;

/** A request without what every one has. */
export type Asked = ControlRequest extends infer Each ? (Each extends ControlRequest ? Omit<Each, "v" | "id" | "at"> : never) : never;

export interface AskOptions {
  clock: Clock;
  /** Eight hexadecimal digits. */
  random: string;
  /** Of a message that nobody has answered: throws where it can reach its agent no more. */
  checkLeft?: (id: string) => Promise<void>;
}

/**
 * Puts a request to the process that is at work on a run, and gives what it said.
 *
 * A message is not lost where the process ends or says nothing for 5 s: it stays for the one that goes on with the run,
 * unless `checkLeft` tells that its agent has ended.
 *
 * @throws HypoError `refused` where no process of this machine is at work, or it ends or says nothing for 5 s; any
 *   request but a message is withdrawn then. Whatever the process refuses is thrown as its error.
 */
export async function askProcess(folder: RunFolder, asked: Asked, options: AskOptions): Promise<string> {
  const holder = await lockHolder(folder.path);
  if (!holder) throw notAtWork(folder);
  if (isElsewhere(holder)) throw new HypoError("run_locked", `The run is at work on ${holder.host}.`, { hint: "Ask for it there." });
  const id = await leaveRequest(folder, asked, options);
  const answer = await waitForAnswer(folder, id, options.clock);
  if (!answer && asked.do === "steer") {
    await options.checkLeft?.(id).catch(async (error: unknown) => {
      await withdraw(folder, id);
      throw error;
    });
    return `${asked.agent} gets the message when the run goes on.`;
  }
  if (!answer) {
    await withdraw(folder, id);
    throw new HypoError("refused", `Process ${holder.pid} did not answer, so the request was withdrawn.`, {
      hint: "`hypo runs` tells whether it is at work.",
    });
  }
  if (!answer.ok) throw refusalOf(answer);
  return answer.message;
}

function withdraw({ control }: RunFolder, id: string): Promise<void> {
  return rm(requestFile(control, id), { force: true });
}

/** Leaves a request for the process that is at work, or for the next one. Gives its id. */
export async function leaveRequest(folder: RunFolder, asked: Asked, { clock, random }: AskOptions): Promise<string> {
  const at = clock.now();
  const id = makeRequestId(at, random);
  await writeRequestFile(folder.control, { v: 1, id, at: at.toISOString(), ...asked });
  return id;
}

async function waitForAnswer(folder: RunFolder, id: string, clock: Clock): Promise<ControlAnswer | undefined> {
  const begun = clock.monotonic();
  while (clock.monotonic() - begun < LONGEST_WAIT_MS) {
    const answer = await readAnswer(folder.control, id);
    if (answer) return answer;
    if (!(await lockHolder(folder.path))) break;
    await clock.sleep(POLL_MS);
  }
  // The answer may have come with the process's last breath.
  return readAnswer(folder.control, id);
}

function notAtWork({ path }: RunFolder): HypoError {
  return new HypoError("refused", `No process is at work on the run in ${path}.`, { hint: "`hypo resume` sets it to work." });
}
