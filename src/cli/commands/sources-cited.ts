import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";
import type { Fact } from "../../domain/events.ts";
import type { Stores } from "../stores.ts";

const SHA256 = /\b[0-9a-f]{64}\b/g;
/** Facts after which a run needs no source that nothing cites. */
const RUN_ENDS = "run_finished";

/**
 * Every source that something rests on: named in a note of memory or in a file of an experiment, cited by a finding or
 * a plan in any journal on any branch, or read by a run that has not ended and may still cite it.
 *
 * @throws HypoError `storage_failed` or `run_damaged` where any of it cannot be read: nothing may then be removed.
 */
export async function findCitedSources(state: string, stores: Pick<Stores, "readFacts">): Promise<Set<string>> {
  const cited = new Set<string>();
  for (const file of await listFiles(join(state, "memory"), /\.md$/)) await addNamed(file, cited);
  for (const file of await listFiles(join(state, "experiments"), /\.json$/)) await addNamed(file, cited);
  for (const journal of await listFiles(join(state, "runs"), /(^|\/)journal\.jsonl$/)) {
    await addCitedByRun(join(journal, ".."), stores, cited);
  }
  return cited;
}

async function addCitedByRun(folder: string, stores: Pick<Stores, "readFacts">, cited: Set<string>): Promise<void> {
  const read = new Set<string>();
  let hasEnded = false;
  await stores.readFacts(folder, (fact) => {
    hasEnded ||= fact.type === RUN_ENDS;
    if (fact.type === "source_stored") read.add(fact.data.source);
    for (const source of citedBy(fact)) cited.add(source);
  });
  if (!hasEnded) for (const source of read) cited.add(source);
}

function citedBy(fact: Fact): string[] {
  if (fact.type === "finding_published") {
    const { evidence, counterevidence } = fact.data.finding;
    return [...evidence, ...counterevidence].map(({ source }) => source);
  }
  return fact.type === "plan_registered" || fact.type === "report_written" ? namedIn(JSON.stringify(fact.data)) : [];
}

async function addNamed(file: string, cited: Set<string>): Promise<void> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw unreadable(file, error);
  });
  for (const source of namedIn(text)) cited.add(source);
}

function namedIn(text: string): string[] {
  return text.match(SHA256) ?? [];
}

async function listFiles(folder: string, wanted: RegExp): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && wanted.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw unreadable(folder, error);
  }
}

function unreadable(path: string, error: unknown): HypoError {
  return new HypoError("storage_failed", `Cannot read ${path}: ${messageOf(error)}.`, {
    hint: "Nothing is removed while it is not known what is cited: look at its permissions.",
    cause: error,
  });
}
