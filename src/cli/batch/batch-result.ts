import type { HypoError } from "../../domain/errors.ts";

/** How far an item of a batch has come. */
type ItemStatus = "answered" | "unanswered" | "waiting" | "interrupted" | "failed" | "skipped" | "pending";

/** What is told of one item of a batch; the keys are those of `--out` and `--json`. */
export interface BatchResult {
  v: 1;
  id: string;
  line: number;
  question: string;
  status: ItemStatus;
  /** Whether it is what `--require` asks for. */
  reached: boolean;
  run: string | null;
  answer: string | null;
  confidence: string | null;
  /** Verdicts of reviewed tests that the answer rests on. */
  verdicts: string[];
  stop_reason: string | null;
  detail: string | null;
  usd: number;
  tokens: number;
  elapsed_seconds: number;
  /** Relative to the folder of the project. */
  report: string | null;
  error: { code: string; message: string; hint: string | null } | null;
}

/** What counts as reaching an answer. */
export const REQUIREMENTS = ["any", "supported"] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** With `supported` an answer has to rest on at least one test whose last review says supported. */
export function isReached({ status, verdicts }: Pick<BatchResult, "status" | "verdicts">, requirement: Requirement): boolean {
  return status === "answered" && (requirement === "any" || verdicts.includes("supported"));
}

export function errorOf({ code, message, hint }: HypoError): BatchResult["error"] {
  return { code, message, hint: hint ?? null };
}
