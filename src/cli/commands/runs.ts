import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { ago, money } from "../output/quantities.ts";
import { tableLines } from "../output/table.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject } from "../project/project.ts";
import { toneOfState } from "../runs/digest-text.ts";
import { listRuns } from "../runs/find-run.ts";
import { tryReadRun } from "../runs/read-run.ts";
import type { Stores } from "../stores.ts";
import type { RunsOptions } from "./options.ts";

/** Lists the runs of the project, newest first. */
export async function runsCommand(options: RunsOptions, io: Io, stores: Stores): Promise<number> {
  const places = await listRuns(await findProject(io.cwd));
  const entries = [];
  for (const place of places.slice(0, options.limit)) entries.push(entryOf(await tryReadRun(place, stores)));
  if (options.json) {
    writeJson(io, { runs: entries, total: places.length });
    return 0;
  }
  if (entries.length === 0) {
    writeErr(io, 'No runs here yet. Start one with `hypo run "question"`, or see a whole one with `hypo demo`.');
    return 0;
  }
  writeOut(io, table(entries, io).join("\n"));
  if (places.length > entries.length) writeErr(io, `${places.length - entries.length} older runs are not shown (--limit).`);
  return 0;
}

type Entry = ReturnType<typeof entryOf>;

function entryOf(reading: Awaited<ReturnType<typeof tryReadRun>>) {
  if ("problem" in reading) {
    return {
      run: reading.id,
      state: "damaged",
      created: null,
      question: null,
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
      { title: "QUESTION", value: (row) => row.question ?? row.problem ?? "", max: 200 },
    ],
    entries,
    terminalWidth(io),
    painterFor(io.color.stdout),
  );
}
