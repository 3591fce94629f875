import { hostname } from "node:os";
import { join } from "node:path";
import type { Fact } from "../domain/events.ts";
import type { Memory, SourceStore } from "../domain/ports.ts";
import { isAlive } from "../files/process-identity.ts";
import type { RunProcess } from "./runs/run-files.ts";

/** The facts of one run. */
export interface JournalFacts {
  /** Those on the ancestry of a branch's head, oldest first. */
  ancestry(branch: string): AsyncIterable<Fact>;
  /** Those of all branches, in the order they were recorded. */
  allFacts(): AsyncIterable<Fact>;
}

/** What the commands that only look need of the rest of hypo. */
export interface Stores {
  /** Throws `run_damaged`. */
  readJournal(folder: string): Promise<JournalFacts>;
  /** Whether exactly the process that a status file names still runs. */
  isAlive(process: RunProcess): boolean;
  /** @param state the project's `.hypo` folder */
  openMemory(state: string): Promise<Pick<Memory, "search">>;
  openSources(state: string): Promise<Pick<SourceStore, "find" | "text" | "list">>;
}

/** The real ones; each part is loaded when it is first used. */
export const stores: Stores = {
  async readJournal(folder) {
    const { Journal } = await import("../engine/journal/journal.ts");
    return Journal.read(folder);
  },
  isAlive: ({ pid, pid_started: started, boot }) => isAlive({ pid, started, boot, host: hostname() }),
  async openMemory(state) {
    const { openMemory } = await import("../memory/index.ts");
    return openMemory({ folder: state, say: tell });
  },
  async openSources(state) {
    const { openSourceStore } = await import("../gateway/index.ts");
    return openSourceStore(join(state, "sources"), { onDamage: ({ path, problem }) => tell(`${path}: ${problem}`) });
  },
};

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
