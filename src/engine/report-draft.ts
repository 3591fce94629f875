import { z } from "zod";
import type { Fact } from "../domain/events.ts";
import { ROOT_AGENT } from "../domain/ids.ts";
import { ReportDraft } from "../domain/report-draft.ts";
import type { RunState } from "./state/run-state.ts";

/** After so many refusals of the same draft or part, code writes the report. */
export const MOST_REFUSALS = 3;

/** What write_report takes: a whole draft, or one part of a draft that is asked for in rounds. */
export const DraftInput = ReportDraft.partial({ answer: true, confidence: true, would_change: true }).extend({
  part: z.int().min(1).optional().describe("the number of the part, only where the report is asked for in parts"),
  digest: z.string().min(1).max(1200).optional().describe("only with part: what the answer has to know of it, with ids"),
});
export type DraftInput = z.output<typeof DraftInput>;

/** The arguments of the write_report call that a report's draft came with; of the last one, where the report names none. */
export function draftIn(fact: Fact, call: string | undefined): unknown {
  if (fact.type !== "tool_started" || fact.data.agent !== ROOT_AGENT || fact.data.tool !== "write_report") return undefined;
  return call === undefined || fact.data.call === call ? fact.data.args : undefined;
}

/** The closing draft with the sections of the parts behind its own, so that its own keep their places. */
export function assembleDraft(state: RunState, draft: ReportDraft): ReportDraft {
  return { ...draft, sections: [...draft.sections, ...state.reportParts.flatMap(({ sections }) => sections)] };
}

/** The whole draft in what write_report was given, or what is wrong with it. */
export function readWholeDraft(args: unknown): { draft: ReportDraft } | { problem: string } {
  const input = DraftInput.safeParse(args);
  if (!input.success) return { problem: z.prettifyError(input.error) };
  const { part, digest, ...rest } = input.data;
  if (part !== undefined || digest !== undefined) return { problem: "part and digest belong to a report that is asked for in parts." };
  const whole = ReportDraft.safeParse(rest);
  return whole.success ? { draft: whole.data } : { problem: z.prettifyError(whole.error) };
}
