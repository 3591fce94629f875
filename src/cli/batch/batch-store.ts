import { open, readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { z } from "zod";
import { HypoError, systemCodeOf } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import { lockHolder, takeLock, type Lock } from "../../engine/journal/lock.ts";
import { systemClock } from "../../engine/system-clock.ts";
import { makeFolder, PRIVATE_FILE, storageError, writeFileAtomic } from "../../files/atomic.ts";
import type { Project } from "../project/project.ts";
import type { BatchItem } from "./batch-line.ts";

/** Within a batch's folder. */
const RECORD = "runs.jsonl";

/** Which run an item of the batch is asked in. The latest of an item counts. */
const Assignment = z.object({ v: z.literal(1), item: z.string(), run: z.string(), question_sha256: z.string() });
type Assignment = z.infer<typeof Assignment>;

/**
 * What a batch remembers between processes: which run belongs to which item, recorded before the run is started.
 * Everything else is in the runs themselves. The same batch file is the same batch.
 */
export class BatchStore {
  readonly folder: string;
  private readonly path: string;
  private readonly lock: Lock;
  private readonly assignments = new Map<string, Assignment>();
  private readonly assigned = new Set<string>();

  private constructor(folder: string, lock: Lock) {
    this.folder = folder;
    this.path = join(folder, RECORD);
    this.lock = lock;
  }

  /** @throws HypoError `run_locked` where the batch is at work, `batch_invalid` where its record is damaged, `storage_failed` */
  static async open(project: Project, file: string): Promise<BatchStore> {
    const folder = folderOf(project, file);
    await makeFolder(folder);
    const holder = await lockHolder(folder);
    if (holder) {
      throw new HypoError("run_locked", `The batch is at work in process ${holder.pid}.`, { hint: "Wait for it, or end that process." });
    }
    const store = new BatchStore(folder, await takeLock(folder, { clock: systemClock }));
    try {
      await store.load();
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Ids of the items that were given a run, read without making or holding anything. Throws as `open` does. */
  static async begun(project: Project | undefined, file: string): Promise<ReadonlySet<string>> {
    if (project === undefined) return new Set();
    const folder = folderOf(project, file);
    const { assignments } = await readAssignments(folder);
    return new Set(assignments.map(({ item }) => item));
  }

  /** The run that an item was given, if it was. */
  runOf({ id }: BatchItem): string | undefined {
    return this.assignments.get(id)?.run;
  }

  /** Every run that was ever given to an item of the batch, also of one that is no longer in the file. */
  runs(): string[] {
    return [...this.assigned];
  }

  /** @throws HypoError `batch_invalid` where ids stand for other questions than they did. */
  refuseOtherQuestions(items: readonly BatchItem[]): void {
    const other = items.filter(({ id, question }) => {
      const known = this.assignments.get(id);
      return known !== undefined && known.question_sha256 !== sha256(question);
    });
    if (other.length === 0) return;
    const lines = other.map(({ id, line }) => `  line ${line}: ${JSON.stringify(id)} stood for another question when its run was started`);
    throw new HypoError("batch_invalid", ["Ids are what a batch is resumed by:", ...lines].join("\n"), {
      hint: `Give changed questions new ids, or start anew by removing ${this.folder}; runs stay as they are.`,
    });
  }

  /** Durable when it resolves, so that whatever happens next, the run is found again. */
  async assign({ id, question }: BatchItem, run: string): Promise<void> {
    const assignment: Assignment = { v: 1, item: id, run, question_sha256: sha256(question) };
    try {
      await using file = await open(this.path, "a", PRIVATE_FILE);
      await file.writeFile(`${JSON.stringify(assignment)}\n`);
      await file.datasync();
    } catch (error) {
      throw storageError(this.path, error);
    }
    this.keep(assignment);
  }

  async close(): Promise<void> {
    await this.lock.release();
  }

  private async load(): Promise<void> {
    const { assignments, text, isCutOff } = await readAssignments(this.folder);
    // A line that was cut off by a crash named a run that was never started.
    if (isCutOff) await writeFileAtomic(this.path, text);
    for (const assignment of assignments) this.keep(assignment);
  }

  private keep(assignment: Assignment): void {
    this.assignments.set(assignment.item, assignment);
    this.assigned.add(assignment.run);
  }
}

/** Every assignment of a batch in order, and the whole lines they were read from. */
async function readAssignments(folder: string): Promise<{ assignments: Assignment[]; text: string; isCutOff: boolean }> {
  const path = join(folder, RECORD);
  const found = await readFile(path, "utf8").catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return "";
    throw storageError(path, error);
  });
  const text = found.slice(0, found.lastIndexOf("\n") + 1);
  const assignments = text
    .split("\n")
    .slice(0, -1)
    .map((line, index) => {
      const assignment = parse(line);
      if (assignment) return assignment;
      throw new HypoError("batch_invalid", `${path}, line ${index + 1} is not what hypo writes there.`, {
        hint: `Start anew by removing ${folder}; runs stay as they are.`,
      });
    });
  return { assignments, text, isCutOff: text.length < found.length };
}

function parse(line: string): Assignment | undefined {
  try {
    return Assignment.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function folderOf(project: Project, file: string): string {
  return join(project.state, "batches", nameOf(project, file));
}

function nameOf(project: Project, file: string): string {
  const slug = basename(file)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return `${slug}-${sha256(relative(project.root, file)).slice(0, 8)}`;
}
