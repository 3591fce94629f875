import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";

/** `meta.json`: what a run was started with; never changed. Only what is shown is required. */
export interface RunMeta {
  v: 1;
  run: string;
  question: string;
  created: string;
  origin?: string | undefined;
}

const PROCESS_STATES = ["starting", "running", "complete", "failed", "stopping", "stopped"] as const;

/** `status.json`: the process that works, or worked, on the run. */
export interface RunProcess {
  state: (typeof PROCESS_STATES)[number];
  pid: number;
  /** With `boot` it tells the process from a later one with the same pid. */
  pid_started: string;
  boot: string;
  heartbeat: string;
  /** Branches at work. */
  branches: string[];
  /** What it said to its person, the latest last. */
  said: string[];
  exit_code?: number | undefined;
  error?: string | undefined;
}

/** @throws HypoError `run_damaged` where it is missing or not what it should be. */
export async function readRunMeta(folder: string): Promise<RunMeta> {
  const meta = await readJson(join(folder, "meta.json"), toMeta);
  if (meta) return meta;
  throw new HypoError("run_damaged", `${join(folder, "meta.json")} is missing.`, { hint: META_HINT });
}

/** Undefined before the run's process wrote it. Throws `run_damaged`. */
export async function readRunProcess(folder: string): Promise<RunProcess | undefined> {
  return readJson(join(folder, "status.json"), toProcess);
}

const META_HINT =
  "Restore the file from a backup. The run's journal.jsonl is untouched; without meta.json the run can be neither shown nor resumed.";
const STATUS_HINT = "Remove the file: it says only what a process was doing, and the run's journal is untouched.";

/*
 * Checked by hand and not by schemas: `hypo runs` reads two such files of every run, and loading the schema library
 * takes longer than all of them.
 */

function toMeta({ v, run, question, created, origin }: Partial<Record<keyof RunMeta, unknown>>): RunMeta | undefined {
  if (v !== 1 || !isText(run) || !isText(question) || !isText(created)) return undefined;
  return origin === undefined || isText(origin) ? { v, run, question, created, origin } : undefined;
}

function toProcess(raw: Partial<Record<keyof RunProcess | "v", unknown>>): RunProcess | undefined {
  const { v, pid, pid_started: started, boot, heartbeat, branches = [], said = [], exit_code, error } = raw;
  const state = PROCESS_STATES.find((each) => each === raw.state);
  if (v !== 1 || state === undefined || !isWhole(pid) || !isText(boot) || !isText(heartbeat)) return undefined;
  if (!(isText(started) || typeof started === "number") || !areTexts(branches) || !areTexts(said)) return undefined;
  if (!(exit_code === undefined || isWhole(exit_code)) || !(error === undefined || isText(error))) return undefined;
  return { state, pid, pid_started: String(started), boot, heartbeat, branches, said, exit_code, error };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

async function readJson<T>(path: string, convert: (raw: Record<string, unknown>) => T | undefined): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw new HypoError("run_damaged", `${path} cannot be read: ${messageOf(error)}.`, {
      hint: "It must be a file that you may read.",
      cause: error,
    });
  }
  const value = parseObject(text);
  const converted = value && convert(value);
  if (converted) return converted;
  throw new HypoError("run_damaged", `${path} is not what hypo writes there.`, {
    hint: path.endsWith("meta.json") ? META_HINT : STATUS_HINT,
  });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
