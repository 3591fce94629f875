import { open, readFile, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "../../domain/hash.ts";
import { writeFileAtomic } from "../../files/atomic.ts";
import { Lineage } from "../journal/lineage.ts";
import { JOURNAL_FILE, type JournalPlace } from "../journal/reading.ts";
import { emptyLedger, type Ledger } from "../state/ledger.ts";
import { emptyRunState, type RunState } from "../state/run-state.ts";
import { parseMaps, stringifyMaps } from "./map-json.ts";
import { RunProjection } from "./run-projection.ts";

const SNAPSHOT_FILE = "snapshot.json";
/** To be raised when `evolve` makes another state of the same facts. */
const FOLD_VERSION = 4;
/** Snapshots of states with other members than these are of another hypo. */
const SHAPE = hashOf([FOLD_VERSION, Object.keys(emptyRunState()), Object.keys(emptyLedger())]);
/** The check sum that ends every line, with the line feed. */
const TAIL_BYTES = 19;

interface Snapshot {
  shape: string;
  run: string;
  bytes: number;
  lines: number;
  /** Check sum of the journal's line that ends at `bytes`. */
  tail: string;
  lineage: ReturnType<Lineage["save"]>;
  states: Map<string, RunState>;
  ledger: Ledger;
}

/**
 * Only the frame is checked: the rest was written by this very code, as `shape` says, and the journal is what counts.
 * By hand, since loading a schema library takes longer than all that a snapshot saves.
 */
function isSnapshot(value: unknown): value is Snapshot {
  if (typeof value !== "object" || value === null) return false;
  const { shape, run, bytes, lines, tail, lineage, states, ledger } = value as Record<keyof Snapshot, unknown>;
  const isFramed = shape === SHAPE && typeof run === "string" && typeof tail === "string" && isCount(bytes) && isCount(lines);
  return isFramed && isObject(lineage) && isObject(ledger) && states instanceof Map;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/**
 * Keeps what a run's records up to a place come to, so that looking at a long run need not read all of it. It is a
 * cache: whoever writes to the run reads the journal itself.
 */
export async function writeSnapshot(folder: string, run: string, place: JournalPlace, projection: RunProjection): Promise<void> {
  const { bytes, lines, lineage } = place;
  const tail = await readTail(folder, bytes);
  if (tail === undefined) return;
  const content: Snapshot = {
    shape: SHAPE,
    run,
    bytes,
    lines,
    tail,
    lineage: lineage.save(),
    states: new Map(projection.known),
    ledger: projection.ledger,
  };
  await writeFileAtomic(join(folder, SNAPSHOT_FILE), stringifyMaps(content));
}

/** A place in the journal with what its records up to there come to; undefined where no snapshot fits the journal. */
export async function readSnapshot(folder: string, run: string): Promise<{ place: JournalPlace; projection: RunProjection } | undefined> {
  const text = await readFile(join(folder, SNAPSHOT_FILE), "utf8").catch(() => undefined);
  const parsed = text === undefined ? undefined : parseOrNothing(text);
  if (!isSnapshot(parsed) || parsed.run !== run) return undefined;
  const { bytes, lines, tail, lineage, states, ledger } = parsed;
  if ((await readTail(folder, bytes)) !== tail) return undefined;
  return { place: { bytes, lines, lineage: Lineage.restore(lineage) }, projection: new RunProjection(states, ledger) };
}

/** The check sum of the line that ends at a byte of the journal; undefined where none does. */
async function readTail(folder: string, bytes: number): Promise<string | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(join(folder, JOURNAL_FILE), "r");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, Math.max(0, bytes - TAIL_BYTES));
    const tail = buffer.toString("latin1", 0, bytesRead);
    return /^,"crc":"[0-9a-f]{8}"\}\n$/.test(tail) ? tail : undefined;
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

function parseOrNothing(text: string): unknown {
  try {
    return parseMaps(text);
  } catch {
    return undefined;
  }
}
