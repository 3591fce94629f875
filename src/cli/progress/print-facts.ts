import type { Fact } from "../../domain/events.ts";
import { writeErr, type Io } from "../io.ts";
import { describeFact } from "./describe-fact.ts";

/**
 * Prints a run's facts as they come, where there is no terminal to draw on: with `json` each as one line of JSON on
 * stdout, else what is worth telling as one line on stderr.
 */
export function makeFactPrinter(io: Pick<Io, "stdout" | "stderr">, { json }: { json: boolean }): (fact: Fact) => void {
  const names = new Map<string, string>();
  return (fact) => {
    if (json) {
      io.stdout.write(`${JSON.stringify(fact)}\n`);
      return;
    }
    if (fact.type === "agent_spawned") names.set(fact.data.agent, fact.data.spec.name);
    const line = describeFact(fact, (agent) => names.get(agent));
    if (line !== undefined) writeErr(io, line);
  };
}
