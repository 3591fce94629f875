import { hostname } from "node:os";
import { join } from "node:path";
import { isFact, type Fact } from "../domain/events.ts";
import type { Config } from "../domain/config.ts";
import type { Gateway, Memory } from "../domain/ports.ts";
import type { WritableSourceStore } from "../gateway/index.ts";
import { isAlive } from "../files/process-identity.ts";
import type { RunProcess } from "./runs/run-files.ts";
import { readVersion } from "./start.ts";

/** A journal that has been read. */
interface JournalView {
  /** The last fact of each branch. */
  heads: ReadonlyMap<string, number>;
  /** True while a head's ancestry is all facts up to it. */
  isUnforked: boolean;
  /** Facts on the ancestry of a branch's head, oldest first. */
  ancestry(branch: string): AsyncIterable<Fact>;
}

/** What is closed after use. */
interface Closable {
  close(): Promise<void>;
}

/** What the commands that only look need of the rest of hypo. */
export interface Stores {
  /** Gives every fact of all branches to `onFact` once, in the order they were recorded. Throws `run_damaged`. */
  readJournal(folder: string, onFact: (fact: Fact) => void): Promise<JournalView>;
  /** Whether exactly the process that a status file names still runs. */
  isAlive(process: RunProcess): boolean;
  /**
   * @param state the project's `.hypo` folder
   * @param say takes lines for the person
   */
  openMemory(state: string, say: (line: string) => void): Promise<Pick<Memory, "search"> & Closable>;
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
  async readJournal(folder, onFact) {
    const { Journal } = await import("../engine/journal/journal.ts");
    return Journal.read(folder, (record) => {
      if (isFact(record)) onFact(record);
    });
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
  const { openSourceStore } = await import("../gateway/index.ts");
  return openSourceStore(join(state, "sources"), { onDamage: ({ path, problem }) => say(`Left out: ${path}: ${problem}`) });
}
