import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { HypoError } from "../../../src/domain/errors.ts";
import type { Fact } from "../../../src/domain/events.ts";
import { project } from "../../../src/engine/state/evolve.ts";
import { emptyLedger, evolveLedger } from "../../../src/engine/state/ledger.ts";
import { stores, type Stores } from "../../../src/cli/stores.ts";
import { openMemory } from "../../../src/memory/index.ts";
import { QUESTION } from "./a-run.ts";

/** A temporary folder, removed when the test ends. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hypo-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes the files of a run as its process leaves them. */
export function addRun(root: string, run: string, process?: { state: string; pid: number; error?: string }): string {
  const folder = join(root, ".hypo", "runs", run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "meta.json"), JSON.stringify({ v: 1, run, question: QUESTION, created: "2026-03-01T12:00:00.000Z" }));
  if (process) {
    const status = { v: 1, pid_started: "1", boot: "b", heartbeat: "2026-03-01T12:00:10.000Z", branches: ["main"], ...process };
    writeFileSync(join(folder, "status.json"), JSON.stringify(status));
  }
  return folder;
}

/** Stores over facts in memory, by run id, and over the real sources of the project. Pid 1 is alive. */
export function testStores(facts: Record<string, Fact[]>, others: Partial<Stores> = {}): Stores {
  return {
    async readRun(_folder, run) {
      const found = facts[run];
      if (!found) throw new HypoError("run_damaged", "journal.jsonl, line 3, byte 120: not JSON.");
      const ledger = emptyLedger();
      for (const fact of found) evolveLedger(ledger, fact);
      return {
        heads: new Map([["main", found.at(-1)?.seq ?? 0]]),
        ledger,
        state: async () => project(found),
        ancestry: () => streamOf(found),
        readOn: async () => undefined,
        keepSnapshot: async () => undefined,
      };
    },
    async readFacts(folder, onFact) {
      const found = facts[folder.split("/").at(-1) ?? ""];
      if (!found) throw new HypoError("run_damaged", "journal.jsonl, line 3, byte 120: not JSON.");
      found.forEach(onFact);
      return new Map(found.map(({ branch, seq }) => [branch, seq]));
    },
    isAlive: ({ pid }) => pid === 1,
    openMemory: async (folder, say) => openMemory({ folder, say }),
    openSources: (...given) => stores.openSources(...given),
    openReading: (...given) => stores.openReading(...given),
    ...others,
  };
}

async function* streamOf(facts: readonly Fact[]): AsyncIterable<Fact> {
  yield* facts;
}
