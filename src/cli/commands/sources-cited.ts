import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";
import type { Fact } from "../../domain/events.ts";
import { readRegularFile } from "../../files/regular-file.ts";
import type { Stores } from "../stores.ts";

const SHA256 = /\b[0-9a-f]{64}\b/g;
/** The fact after which a branch needs no source that nothing cites, until it goes on. */
const BRANCH_ENDS = "run_finished";

/**
 * Every source that something rests on: named in a note of memory or in a file of an experiment, cited by a finding or
 * a plan in any journal on any branch, or read by a run of which a branch has not ended and may still cite it.
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
  const ends = new Set<number>();
  const heads = await stores.readFacts(folder, (fact) => {
    if (fact.type === BRANCH_ENDS) ends.add(fact.seq);
    if (fact.type === "source_stored") read.add(fact.data.source);
    for (const source of citedBy(fact)) cited.add(source);
  });
  // A run that was over goes on where its limit is raised, and a fork or a rewind leaves a branch that is not over.
  const hasEnded = heads.size > 0 && Array.from(heads.values()).every((head) => ends.has(head));
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
  const text = await readRegularFile(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  for (const source of namedIn(text.toString("utf8"))) cited.add(source);
}

function namedIn(text: string): string[] {
  return text.match(SHA256) ?? [];
}

/** Wanted files below a folder, in folders that links lead to as well: what is kept elsewhere may cite, too. */
async function listFiles(folder: string, wanted: RegExp): Promise<string[]> {
  const files: string[] = [];
  const met = new Set<string>();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const place = await realpath(next).catch(throwUnlessMissing(next));
    if (place === undefined || met.has(place)) continue;
    met.add(place);
    const entries = await readdir(next, { withFileTypes: true }).catch(throwUnlessMissing(next));
    for (const entry of entries ?? []) {
      const path = join(next, entry.name);
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(path)))) waiting.push(path);
      else if (wanted.test(entry.name)) files.push(path);
    }
  }
  return files;
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function throwUnlessMissing(path: string): (error: unknown) => undefined {
  return (error) => {
    if (systemCodeOf(error) !== "ENOENT") throw unreadable(path, error);
  };
}

function unreadable(path: string, error: unknown): HypoError {
  return new HypoError("storage_failed", `Cannot read ${path}: ${messageOf(error)}.`, {
    hint: "Nothing is removed while it is not known what is cited: look at its permissions.",
    cause: error,
  });
}
