import { z } from "zod";

const ReportClaim = z.strictObject({
  text: z.string().min(1).max(2000).describe("one claim, in your words"),
  supports: z.array(z.string()).min(1).max(20).describe("ids of the findings, experiments or sources it rests on"),
});

export const ReportSection = z.strictObject({
  title: z.string().min(1).max(120),
  /** Prose without support is allowed here and marked as interpretation. */
  interpretation: z.string().max(4000).optional().describe("your reading; shown as interpretation, not as evidence"),
  claims: z.array(ReportClaim).max(60).default([]),
});
export type ReportSection = z.infer<typeof ReportSection>;

/** The supervisor's draft of a report. Code checks and renders it. */
export const ReportDraft = z.strictObject({
  answer: z.string().min(1).max(1200).describe("the answer in about two sentences"),
  answer_supports: z
    .array(z.string())
    .max(20)
    .default([])
    .describe("ids the answer rests on; empty only where the answer is that it is not known"),
  confidence: z.enum(["high", "moderate", "low", "none"]),
  would_change: z.string().min(1).max(1200).describe("what would change the answer"),
  sections: z.array(ReportSection).max(20).default([]),
  limitations: z.array(z.string()).max(30).default([]),
});
export type ReportDraft = z.infer<typeof ReportDraft>;
