import type { Fact } from "../../domain/events.ts";
import { writeErr, type Io } from "../io.ts";
import { describeFact } from "./describe-fact.ts";

export interface PrinterOptions {
  json: boolean;
  /** Put the name of the branch before each line. */
  showsBranch?: boolean;
  /** Names of agents that were spawned before the first fact to be printed. */
  names?: Map<string, string>;
}

/**
 * Prints a run's facts as they come, where there is no terminal to draw on: with `json` each as one line of JSON on
 * stdout, else what is worth telling as one line on stderr.
 */
export function makeFactPrinter(io: Pick<Io, "stdout" | "stderr">, options: PrinterOptions): (fact: Fact) => void {
  const { json, showsBranch = false, names = new Map<string, string>() } = options;
  return (fact) => {
    if (json) {
      io.stdout.write(`${JSON.stringify(fact)}\n`);
      return;
    }
    if (fact.type === "agent_spawned") names.set(fact.data.agent, fact.data.spec.name);
    const line = describeFact(fact, (agent) => names.get(agent));
    if (line !== undefined) writeErr(io, showsBranch ? `${fact.branch}  ${line}` : line);
  };
}
