import type { Stop } from "../decide/stop.ts";
import type { RunState } from "../state/run-state.ts";
import { describeRest, listFindingLines } from "./standing.ts";

const RULES =
  "Every claim names the ids it rests on. State a hypothesis as what it is: say supported only if its verdict says so, and untested if no test ran. Name what contradicts your claims.";

/**
 * The findings in groups whose lines fit the room each, where one prompt cannot hold them all beside the rest; none
 * where it can. Later findings only add to the end.
 */
export function groupFindings(state: RunState, room: number): string[][] {
  const lines = listFindingLines(state);
  const half = room / 2;
  if (sizeOf(lines) <= half) return [];
  const groups: string[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last === undefined || sizeOf(last) + line.length >= half) groups.push([line]);
    else last.push(line);
  }
  return groups;
}

/** Asks for the whole report at once: every finding is shown. */
export function wholePrompt(state: RunState, stop: Stop, room: number): string {
  const lines = listFindingLines(state);
  const findings = lines.length === 0 ? "Findings: none." : `Findings:\n${lines.join("\n")}`;
  return [`${ended(stop)} Write the report now with write_report.`, RULES, findings, describeRest(state, room)].join("\n\n");
}

/** Asks for one part of a report that is drafted in rounds. */
export function partPrompt(part: number, groups: string[][], stop: Stop): string {
  return [
    `${ended(stop)} There are more findings than one prompt holds, so the report is drafted in ${groups.length} parts and a closing. This is part ${part} of ${groups.length}.`,
    `Call write_report with part: ${part}, sections whose claims cover what matters in the findings below, and digest: what the answer has to know of this part, in a few sentences with ids. Leave the answer for the closing.`,
    RULES,
    `Findings of part ${part}:\n${(groups[part - 1] ?? []).join("\n")}`,
  ].join("\n\n");
}

/** Asks for what closes a report drafted in rounds: the answer, from the digests of its parts. */
export function closingPrompt(state: RunState, room: number): string {
  const each = Math.max(120, Math.floor(room / 2 / Math.max(1, state.reportParts.length)));
  const digests = state.reportParts.map(({ part, digest }) => `- Part ${part}: ${clipTo(digest, each)}`);
  return [
    "All parts are in; their sections stand in the report. Close it now: call write_report without part, with answer, answer_supports, confidence, would_change and limitations. Add sections only for what no part could say.",
    RULES,
    `Digests of the parts:\n${digests.join("\n")}`,
    describeRest(state, room),
  ].join("\n\n");
}

function ended({ reason, detail }: Stop): string {
  return `The research has ended: ${reason} (${detail}).`;
}

function sizeOf(lines: string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function clipTo(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= length ? line : `${line.slice(0, length - 3)}...`;
}
