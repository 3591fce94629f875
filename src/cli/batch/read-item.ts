import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";
import { ROOT_AGENT } from "../../domain/ids.ts";
import { openGate, workedUntil } from "../../engine/state/run-state.ts";
import type { Project } from "../project/project.ts";
import { readRun, type RunReading } from "../runs/read-run.ts";
import { stores } from "../stores.ts";
import type { BatchItem } from "./batch-line.ts";
import { isReached, type BatchResult, type Requirement } from "./batch-result.ts";

/** What a batch needs of report.json; the report's format has the rest. */
const ReportOpening = z.object({
  opening: z.object({
    answer: z.object({ text: z.string() }),
    confidence: z.string(),
    counts: z.object({ verdicts: z.array(z.object({ verdict: z.string() })) }),
  }),
});

/**
 * The run of an item as its files tell it; undefined where it never began.
 *
 * @throws HypoError `run_damaged`
 */
export async function readItemRun(project: Project, run: string): Promise<RunReading | undefined> {
  const folder = join(project.state, "runs", run);
  const exists = await readFile(join(folder, "journal.jsonl")).then(
    (journal) => journal.length > 0,
    (error: unknown) => {
      if (systemCodeOf(error) === "ENOENT") return false;
      throw new HypoError("run_damaged", `The journal of ${run} cannot be read: ${messageOf(error)}.`, {
        hint: "It must be a file that you may read.",
        cause: error,
      });
    },
  );
  if (!exists) return undefined;
  const reading = await readRun({ id: run, folder }, stores);
  return reading.state.agents.has(ROOT_AGENT) ? reading : undefined;
}

/** What the run has spent; reservations that nothing settled count as spent. */
export function spentBy(reading: RunReading | undefined): number {
  return reading ? reading.ledger.usd + reading.ledger.reservedUsd : 0;
}

/** The result of an item without a run, or before it has one. */
export function emptyResult({ id, line, question }: BatchItem): BatchResult {
  return {
    v: 1,
    id,
    line,
    question,
    status: "pending",
    reached: false,
    run: null,
    answer: null,
    confidence: null,
    verdicts: [],
    stop_reason: null,
    detail: null,
    usd: 0,
    tokens: 0,
    elapsed_seconds: 0,
    report: null,
    error: null,
  };
}

/** The result of an item from its run's record and report. */
export async function resultOf(item: BatchItem, reading: RunReading, project: Project, requirement: Requirement): Promise<BatchResult> {
  const { state, ledger } = reading;
  const { finish, report } = state;
  const opening = finish?.answered && report ? await readOpening(join(reading.folder, report.path)) : undefined;
  const status = finish ? (finish.answered ? "answered" : "unanswered") : openGate(state) ? "waiting" : "interrupted";
  const verdicts = opening?.counts.verdicts.map(({ verdict }) => verdict) ?? [];
  return {
    ...emptyResult(item),
    status,
    reached: isReached({ status, verdicts }, requirement),
    run: reading.id,
    answer: opening?.answer.text ?? null,
    confidence: opening?.confidence ?? null,
    verdicts,
    stop_reason: finish?.reason ?? null,
    detail: finish?.detail ?? openGate(state)?.prompt ?? null,
    usd: ledger.usd + ledger.reservedUsd,
    tokens: ledger.tokens,
    elapsed_seconds: Math.round(workedUntil(state.clock, state.clock.latest) / 1000),
    report: report ? relative(project.root, join(reading.folder, report.path)) : null,
  };
}

/** @param markdown path of the report; the same as JSON lies beside it */
async function readOpening(markdown: string): Promise<z.infer<typeof ReportOpening>["opening"]> {
  const path = markdown.replace(/\.md$/, ".json");
  try {
    return ReportOpening.parse(JSON.parse(await readFile(path, "utf8"))).opening;
  } catch (error) {
    throw new HypoError("run_damaged", `${path} is not the report that hypo wrote there.`, {
      hint: "`hypo verify` tells what is wrong with the run.",
      cause: error,
    });
  }
}
