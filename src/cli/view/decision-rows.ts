import { isOver, openGate, type GateRecord, type RunState } from "../../engine/state/run-state.ts";
import { plainLine } from "../output/plain-text.ts";
import { widthOf } from "../output/width.ts";
import { wrapLine } from "../output/wrap.ts";
import { jsonForShell, quoteForShell } from "../../domain/shell-word.ts";
import { rowOf, textRows, type Row } from "./row.ts";

/** The gate at which the run waits for the person; undefined where it waits for none, or is over. */
export function waitingGate(state: RunState): GateRecord | undefined {
  return isOver(state) ? undefined : openGate(state);
}

/** The beginning of a run's id is the second it began in, which names it unless another began in the same. */
const STAMP = 15;

/**
 * A gate in full: the question, what is accepted as an answer, and the command that answers it.
 *
 * @param hypo `hypo` as it has to be called where the person is
 */
export function decisionRows(gate: GateRecord, run: string, hypo: string, width: number): Row[] {
  const { prompt, options, outputSchema } = gate;
  const [first] = options;
  const [room, value] = [width - 2, first?.value ?? "..."];
  const command = firstThatFits([commandFor(gate, hypo, run, value), commandFor(gate, hypo, run.slice(0, STAMP), value)], room);
  return [
    ...textRows(`? ${prompt}`, width, 0, "warn"),
    ...options.flatMap((option) => textRows(`${option.value}: ${option.label}`, width, 2)),
    ...(outputSchema === undefined ? [] : textRows(`JSON that fits ${JSON.stringify(outputSchema)}`, width, 2)),
    rowOf(width, { text: first ? "To answer with the first:" : "To answer:", tone: "dim" }),
    ...textRows(command, width, 2, "accent"),
  ];
}

/**
 * A gate in a few rows, two at least: as much of the question as there is room for, the options where all of them fit
 * too, and last the command.
 */
export function gateRows(gate: GateRecord, run: string, hypo: string, width: number, height: number): Row[] {
  const room = Math.max(1, height - 1);
  // A question may be very long; more than this is never shown here.
  const lines = wrapLine(plainLine(`? ${gate.prompt.slice(0, 4 * width * height)}`), width);
  const isWhole = lines.length <= room;
  const options = lines.length + gate.options.length <= room ? gate.options : [];
  // What does not fit is run together on the last row, which is cut.
  const asked = isWhole ? lines : [...lines.slice(0, room - 1), lines.slice(room - 1).join(" ")];
  return [
    ...asked.map((text) => rowOf(width, { text, tone: "warn" })),
    ...options.map(({ value, label }) => rowOf(width, `    ${value}: ${label}`)),
    rowOf(width, { text: `  ${shortCommand(gate, run, hypo, width - 2)}`, tone: "dim" }),
  ];
}

/** With the whole id of the run and an answer that is accepted, as far as there is room for them. */
function shortCommand(gate: GateRecord, run: string, hypo: string, room: number): string {
  const [id, value] = [run.slice(0, STAMP), gate.options[0]?.value ?? "..."];
  const [whole, short, open] = [commandFor(gate, hypo, run, value), commandFor(gate, hypo, id, value), commandFor(gate, hypo, id, "...")];
  return firstThatFits([whole, short, open], room);
}

/** The last where none fits. */
function firstThatFits(commands: readonly string[], room: number): string {
  return commands.find((command) => widthOf(command) <= room) ?? commands.at(-1) ?? "";
}

function commandFor({ seq, allowedEvents }: GateRecord, hypo: string, run: string, value: string): string {
  // ANSWER is what happens unless something else is named.
  const event = allowedEvents.includes("ANSWER") ? "" : ` --event ${quoteForShell(allowedEvents[0] ?? "ANSWER")}`;
  return `${hypo} respond ${run} ${seq}${event} --output ${jsonForShell(value)}`;
}
