import { setTimeout as sleep } from "node:timers/promises";
import { lockHolder } from "../../engine/journal/lock.ts";
import { isElsewhere } from "../../files/process-identity.ts";
import { stores } from "../stores.ts";
import type { RunPlace } from "./find-run.ts";
import { isAtWork } from "./read-run.ts";
import { readRunProcess } from "./run-files.ts";

const POLL_MS = 50;
/** Longer than any start and any change by hand takes. */
const LONGEST_WAIT_MS = 20_000;

/** Whether a process says of itself that it is at work on a run. */
async function isLive({ folder }: RunPlace): Promise<boolean> {
  const process = await readRunProcess(folder);
  return process !== undefined && isAtWork(process.state) && stores.isAlive(process);
}

/**
 * True once a process is at work on the run, false where none is. One that holds the run and has not said yet that it
 * is at work is starting, ending, or changing something by hand: it is waited for, so that nobody is refused meanwhile.
 */
export async function awaitWriter(place: RunPlace): Promise<boolean> {
  for (let waited = 0; waited < LONGEST_WAIT_MS; waited += POLL_MS) {
    if (await isLive(place)) return true;
    const holder = await lockHolder(place.folder);
    if (!holder || isElsewhere(holder)) return false;
    await sleep(POLL_MS);
  }
  return false;
}
