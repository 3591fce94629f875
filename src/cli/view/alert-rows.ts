import { openGate, type RunState } from "../../engine/state/run-state.ts";
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

/** A gate that waits for the person, with the command that answers it, and the latest warnings. */
export function alertRows(state: RunState, warnings: readonly string[], width: number, height: number): Row[] {
  const gate = openGate(state);
  const asked = gate
    ? [
        rowOf(width, { text: `? ${gate.prompt}`, tone: "warn" }),
        rowOf(width, { text: `  hypo respond ${state.run} ${gate.seq} --event ANSWER --output '"..."'`, tone: "dim" }),
      ]
    : [];
  const room = Math.max(0, height - asked.length);
  const latest = room === 0 ? [] : warnings.slice(-room);
  return [...asked, ...latest.map((line) => rowOf(width, { text: `! ${line}`, tone: "warn" }))].slice(0, height);
}
