import type { RunState } from "../../engine/state/run-state.ts";
import { gateRows, waitingGate } from "./decision-rows.ts";
import { rowOf, type Row } from "./row.ts";

/** What was said to the person, and what the record says is missing; each once, oldest first. */
export function warningsOf(state: RunState, said: readonly string[]): string[] {
  const missing = [...state.experiments.values()].flatMap(({ executions }) =>
    executions.flatMap(({ finished }) =>
      finished?.status === "docker_unavailable" ? [`No container engine: ${finished.reason ?? ""}`] : [],
    ),
  );
  return [...new Set([...missing, ...said])];
}

/**
 * A gate that waits for the person, with the command that answers it, and the latest warnings, in about `height` rows:
 * a gate has two at least.
 *
 * @param hypo `hypo` as it has to be called where the person is
 */
export function alertRows(state: RunState, warnings: readonly string[], hypo: string, width: number, height: number): Row[] {
  const gate = waitingGate(state);
  const asked = gate ? gateRows(gate, state.run, hypo, width, height) : [];
  const room = Math.max(0, height - asked.length);
  const latest = room === 0 ? [] : warnings.slice(-room);
  return [...asked, ...latest.map((line) => rowOf(width, { text: `! ${line}`, tone: "warn" }))];
}
