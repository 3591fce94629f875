import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { MAIN_BRANCH } from "../../domain/ids.ts";
import { makeRunRecord } from "../../engine/run-record.ts";
import { findStale, listSeeds, type StaleItem, type StaleRun } from "../../report/index.ts";
import { readReferenceChecks } from "./reference-checks.ts";
import type { Project } from "../project/project.ts";
import type { Stores } from "../stores.ts";
import { listRuns } from "./find-run.ts";
import { tryReadRun, type RunReading } from "./read-run.ts";

const Statement = z.object({ text: z.string(), supports: z.array(z.string()) });
const ReportFile = z.object({
  opening: z.object({ answer: Statement }),
  sections: z.array(z.object({ title: z.string(), claims: z.array(Statement) })),
});

/** What of all runs of a project rests on something that changed; runs that cannot be read are named and left out. */
export async function findAllStale(project: Project, stores: Stores, say: (line: string) => void): Promise<StaleItem[]> {
  const runs: RunReading[] = [];
  for (const place of await listRuns(project)) {
    const run = await tryReadRun(place, stores);
    if ("problem" in run) say(`${run.id} is damaged and left out: ${run.problem}`);
    else runs.push(run);
  }
  return await findStaleIn(project.state, runs);
}

/** What of some runs rests on something that changed since, was retracted or was withdrawn by hand; nearest first. */
export async function findStaleIn(state: string, runs: readonly RunReading[]): Promise<StaleItem[]> {
  const read = await Promise.all(runs.map(readStaleRun));
  const findings = read.flatMap(({ record }) => record.findings);
  if (findings.length === 0) return [];
  const { openSourceStore } = await import("../../gateway/index.ts");
  // Damaged metadata is for `hypo verify` to report.
  const store = openSourceStore(join(state, "sources"));
  const seeds = listSeeds({
    findings,
    sources: await store.list(),
    checks: await readReferenceChecks(state),
    noteStatus: await readNoteStatus(state),
  });
  return seeds.length === 0 ? [] : findStale(seeds, read);
}

async function readStaleRun({ folder, state, ledger }: RunReading): Promise<StaleRun> {
  const stop = state.stopping ?? { reason: "internal_error" as const, detail: "" };
  const record = await makeRunRecord({ state, ledger, branch: MAIN_BRANCH }, { find: () => Promise.resolve(undefined) }, stop);
  return { record, sentences: await readSentences(folder) };
}

/** The sentences of a run's report; none where it has none, or none that can be read. */
async function readSentences(folder: string): Promise<StaleRun["sentences"]> {
  const text = await readFile(join(folder, "report.json"), "utf8").catch(() => "null");
  const report = ReportFile.safeParse(parseJson(text));
  if (!report.success) return [];
  const { opening, sections } = report.data;
  return [
    { where: "report, answer", ...opening.answer },
    ...sections.flatMap(({ title, claims }) =>
      claims.map((claim, index) => ({ where: `report, ${JSON.stringify(title)}, claim ${index + 1}`, ...claim })),
    ),
  ];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function readNoteStatus(state: string): Promise<Map<string, string>> {
  const { openMemory } = await import("../../memory/index.ts");
  const memory = openMemory({ folder: state, say: () => undefined });
  try {
    return new Map((await memory.list()).map(({ id, status }) => [id, status]));
  } finally {
    await memory.close();
  }
}
