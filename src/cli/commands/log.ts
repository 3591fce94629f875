import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_DATA, type Fact, type JournalRecord } from "../../domain/events.ts";
import { isFact } from "../../domain/records.ts";
import { HypoError } from "../../domain/errors.ts";
import { JournalReading } from "../../engine/journal/reading.ts";
import { writeErr, writeOut, type Io } from "../io.ts";
import { nearest } from "../nearest.ts";
import { foreign, isolate, plainLine } from "../output/plain-text.ts";
import { cut } from "../output/width.ts";
import { describeFact } from "../progress/describe-fact.ts";
import { findProject } from "../project/project.ts";
import { findRun, type RunPlace } from "../runs/find-run.ts";
import { isAtWork } from "../runs/read-run.ts";
import { readRunProcess } from "../runs/run-files.ts";
import type { Stores } from "../stores.ts";
import type { LogOptions } from "./options.ts";

const POLL_MS = 150;
/** Columns that a fact's data may take on a line. */
const LONGEST_DATA = 160;

/** Prints the records of a run in the order they were made, and with `follow` those that come, while it is at work. */
export async function logCommand(options: LogOptions, io: Io, stores: Stores): Promise<number> {
  checkTypes(options.types);
  const place = await findRun(await findProject(io.cwd), options.run);
  const journal = new JournalReading(place.folder);
  const print = makePrinter(options, io);
  const isWanted = await branchFilter(journal, options);
  const printWanted = (record: JournalRecord): void => {
    if (isWanted(record)) print(record);
  };
  const leaving = leaveOnSignals();
  try {
    for (;;) {
      const isOver = !options.follow || !(await isLive(place, stores));
      await journal.readOn(printWanted);
      if (isOver || leaving.signal.aborted) break;
      await sleep(POLL_MS, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  } finally {
    leaving.end();
  }
  if (journal.torn) writeErr(io, `The last line is unfinished (${journal.torn.why}).`);
  return 0;
}

function checkTypes(types: readonly string[]): void {
  const known = Object.keys(EVENT_DATA);
  const unknown = types.find((type) => !known.includes(type));
  if (unknown === undefined) return;
  const close = nearest(unknown, known);
  throw new HypoError("usage", `There are no facts of type ${JSON.stringify(unknown)}.`, {
    hint: close === undefined ? `Types: ${known.join(", ")}.` : `Did you mean ${close}?`,
  });
}

/** Which records are asked for. Of one branch those are the facts on its ancestry, and those it gets while followed. */
async function branchFilter(journal: JournalReading, { branch, types }: LogOptions): Promise<(record: JournalRecord) => boolean> {
  const isType = (record: JournalRecord): boolean => types.length === 0 || (isFact(record) && types.includes(record.type));
  if (branch === undefined) return isType;
  const before = new JournalReading(journal.folder);
  await before.readOn();
  const { lineage } = before.place;
  const head = before.headOf(branch);
  const isAncestor = lineage.ancestorsOf(head);
  const { last } = lineage;
  return (record) => {
    if (!isType(record)) return false;
    if (!isFact(record)) return record.branch === branch;
    return record.seq <= last ? record.seq <= head && isAncestor(record.seq) : record.branch === branch;
  };
}

function makePrinter({ json }: LogOptions, io: Io): (record: JournalRecord) => void {
  const names = new Map<string, string>();
  return (record) => {
    if (isFact(record) && record.type === "agent_spawned") names.set(record.data.agent, record.data.spec.name);
    writeOut(io, json ? JSON.stringify(record) : isFact(record) ? factLine(record, names) : moveLine(record));
  };
}

function factLine(fact: Fact, names: ReadonlyMap<string, string>): string {
  const told = describeFact(fact, (agent) => names.get(agent));
  const place = `${String(fact.seq).padStart(6)}  ${fact.branch}`;
  if (told !== undefined) return `${place}  ${told}`;
  const agent = "agent" in fact.data && fact.data.agent !== null ? `  ${fact.data.agent}` : "";
  return `${place}  ${fact.at.slice(11, 19)}${agent}  ${fact.type} ${isolate(cut(plainLine(JSON.stringify(fact.data)), LONGEST_DATA))}`;
}

function moveLine(move: Exclude<JournalRecord, Fact>): string {
  const how = move.from === undefined ? `begins after ${move.head}` : `goes back from ${move.from} to ${move.head}`;
  return `${"-".padStart(6)}  ${move.branch}  ${move.at.slice(11, 19)}  ${how}: ${foreign(move.reason)}`;
}

async function isLive({ folder }: RunPlace, stores: Stores): Promise<boolean> {
  const process = await readRunProcess(folder);
  return process !== undefined && isAtWork(process.state) && stores.isAlive(process);
}

function leaveOnSignals(): { signal: AbortSignal; end: () => void } {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  process.on("SIGINT", leave);
  process.on("SIGTERM", leave);
  return {
    signal: leaving.signal,
    end: () => {
      process.off("SIGINT", leave);
      process.off("SIGTERM", leave);
    },
  };
}
