import { randomBytes } from "node:crypto";
import type { AskOptions } from "../../engine/control/ask-process.ts";
import { systemClock } from "../../engine/system-clock.ts";

/** What a request to a run's process takes from this one. */
export function askOptions(): AskOptions {
  return { clock: systemClock, random: randomBytes(4).toString("hex") };
}
