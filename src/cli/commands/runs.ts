import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { ago, money } from "../output/quantities.ts";
import { plainLine } from "../output/plain-text.ts";
import { tableLines } from "../output/table.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject } from "../project/project.ts";
import { toneOfState } from "../runs/digest-text.ts";
import { listRuns, type RunPlace } from "../runs/find-run.ts";
import { isAtWork, tryReadRun } from "../runs/read-run.ts";
import { readRunProcess } from "../runs/run-files.ts";
import type { Stores } from "../stores.ts";
import type { RunsOptions } from "./options.ts";

/** Lists the runs of the project, newest first. */
export async function runsCommand(options: RunsOptions, io: Io, stores: Stores): Promise<number> {
  const places = await listRuns(await findProject(io.cwd));
  const entries = [];
  const unreadable: string[] = [];
  let left = 0;
  for (const place of places) {
    if (options.active && !(await isActive(place, stores))) continue;
    if (options.limit !== undefined && entries.length >= options.limit) {
      left += 1;
      continue;
    }
    const reading = await tryReadRun(place, stores);
    if ("problem" in reading && !reading.meta) unreadable.push(`${place.id}: ${reading.problem}`);
    else entries.push(entryOf(reading));
  }
  for (const each of unreadable) writeErr(io, plainLine(`Left out, since its metadata cannot be read: ${each}`));
  if (options.json) {
    writeJson(io, { runs: entries, total: entries.length + left, left_out: left, unreadable: unreadable.length });
    return 0;
  }
  if (entries.length === 0) {
    writeErr(io, whyNone(options, unreadable.length));
    return 0;
  }
  writeOut(io, table(entries, io).join("\n"));
  if (left > 0) writeErr(io, `${left} older runs are not shown (--limit, --all).`);
  return 0;
}

function whyNone({ active }: RunsOptions, unreadable: number): string {
  if (unreadable > 0) {
    const leftOut = unreadable === 1 ? "1 run was left out" : `${unreadable} runs were left out`;
    return `${leftOut}; ${active ? "no other is at work" : "there is no other"}.`;
  }
  if (active) return "No run is at work.";
  return 'No runs here yet. Start one with `hypo run "question"`, or see a whole one with `hypo demo`.';
}

async function isActive(place: RunPlace, stores: Stores): Promise<boolean> {
  const process = await readRunProcess(place.folder).catch(() => undefined);
  return process !== undefined && isAtWork(process.state) && stores.isAlive(process);
}

type Entry = ReturnType<typeof entryOf>;

function entryOf(reading: Awaited<ReturnType<typeof tryReadRun>>) {
  if ("problem" in reading) {
    return {
      run: reading.id,
      state: "damaged",
      created: reading.meta?.created ?? null,
      question: reading.meta?.question ?? null,
      usd: null,
      tokens: null,
      stop_reason: null,
      problem: reading.problem,
    };
  }
  const { id, shown, meta, ledger, state } = reading;
  return {
    run: id,
    state: shown,
    created: meta.created,
    question: meta.question,
    usd: ledger.usd,
    tokens: ledger.tokens,
    agents: state.agents.size,
    findings: state.findings.size,
    stop_reason: state.finish?.reason ?? null,
    answered: state.finish?.answered ?? null,
    problem: reading.process?.error ?? null,
  };
}

function table(entries: readonly Entry[], io: Io): string[] {
  const now = io.now().getTime();
  return tableLines<Entry>(
    [
      { title: "RUN", value: (row) => row.run },
      { title: "STATE", value: (row) => row.state, tone: (row) => toneOfState(row.state) },
      { title: "BEGAN", value: (row) => (row.created === null ? "-" : ago(row.created, now)) },
      { title: "COST", value: (row) => (row.usd === null ? "-" : money(row.usd)), side: "right" },
      { title: "QUESTION", value: (row) => (row.state === "damaged" ? row.problem : row.question) ?? "", max: 200 },
    ],
    entries,
    terminalWidth(io),
    painterFor(io.color.stdout),
  );
}
