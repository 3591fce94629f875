import { hostname } from "node:os";
import { join } from "node:path";
import type { Config } from "../domain/config.ts";
import type { Fact, JournalRecord } from "../domain/events.ts";
import { isFact } from "../domain/records.ts";
import type { RunId } from "../domain/ids.ts";
import type { Gateway } from "../domain/ports.ts";
import type { Ledger } from "../engine/state/ledger.ts";
import type { RunState } from "../engine/state/run-state.ts";
import type { WritableSourceStore } from "../gateway/stored-sources.ts";
import { isAlive } from "../files/process-identity.ts";
import type { MarkdownMemory } from "../memory/index.ts";
import type { RunProcess } from "./runs/run-files.ts";
import { readVersion } from "./start.ts";

/** A run's journal, read without holding it; another process may be writing it. */
export interface JournalView {
  /** Every branch with the fact its head is at. */
  readonly heads: ReadonlyMap<string, number>;
  /** Of all branches together. */
  readonly ledger: Ledger;
  /** Throws `not_found` for an unknown branch. */
  state(branch: string): Promise<RunState>;
  /** Facts on the ancestry of a branch's head, oldest first. */
  ancestry(branch: string): AsyncIterable<Fact>;
  /** Reads what has been appended since, and gives each record once. */
  readOn(onRecord?: (record: JournalRecord) => void): Promise<void>;
  /** Saves the next reader from reading all of a long journal. */
  keepSnapshot(): Promise<void>;
}

/** What the memory commands use of a project's memory. */
export type ProjectMemory = Omit<MarkdownMemory, "noteFor" | "noteForConclusion" | "read" | "write" | "search">;

/** What is closed after use. */
interface Closable {
  close(): Promise<void>;
}

/** What the commands that only look need of the rest of hypo. */
export interface Stores {
  /** Throws `run_damaged`. */
  readRun(folder: string, run: RunId): Promise<JournalView>;
  /**
   * Gives every fact of every branch once, also those a rewind left behind.
   *
   * @returns every branch with the fact its head is at
   * @throws HypoError `run_damaged`
   */
  readFacts(folder: string, onFact: (fact: Fact) => void): Promise<ReadonlyMap<string, number>>;
  /** Whether exactly the process that a status file names still runs. */
  isAlive(process: RunProcess): boolean;
  /**
   * @param state the project's `.hypo` folder
   * @param say takes lines for the person
   */
  openMemory(state: string, say: (line: string) => void): Promise<ProjectMemory>;
  openSources(state: string, say: (line: string) => void): Promise<Sources>;
  /** The gateway to the web over the same store; closing it closes both. */
  openReading(state: string, config: Config, say: (line: string) => void): Promise<Reading>;
}

/** The stored sources. */
export type Sources = WritableSourceStore;

/** Reading the web into the store. */
export interface Reading extends Closable {
  sources: Sources;
  gateway: Pick<Gateway, "read">;
}

/** The real ones; each part is loaded when it is first used. */
export const stores: Stores = {
  async readRun(folder, run) {
    const { RunReader } = await import("../engine/projection/run-reader.ts");
    return RunReader.open(folder, run);
  },
  async readFacts(folder, onFact) {
    const { Journal } = await import("../engine/journal/journal.ts");
    const { heads } = await Journal.read(folder, (record) => {
      if (isFact(record)) onFact(record);
    });
    return heads;
  },
  isAlive: ({ pid, pid_started: started, boot }) => isAlive({ pid, started, boot, host: hostname() }),
  async openMemory(state, say) {
    const { openMemory } = await import("../memory/index.ts");
    return openMemory({ folder: state, say });
  },
  openSources,
  async openReading(state, config, say) {
    const sources = await openSources(state, say);
    const { createGateway } = await import("../gateway/index.ts");
    const { systemClock } = await import("../engine/system-clock.ts");
    const gateway = createGateway({ config, store: sources, clock: systemClock, version: readVersion() });
    return { sources, gateway, close: () => gateway.close() };
  },
};

async function openSources(state: string, say: (line: string) => void): Promise<Sources> {
  const { openSourceStore } = await import("../gateway/stored-sources.ts");
  return openSourceStore(join(state, "sources"), { onDamage: ({ path, problem }) => say(`Left out: ${path}: ${problem}`) });
}
