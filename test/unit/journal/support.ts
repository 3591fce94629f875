import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { HypoError } from "../../../src/domain/errors.ts";
import type { Fact, RunEvent } from "../../../src/domain/events.ts";
import type { Clock } from "../../../src/domain/ports.ts";
import type { Journal } from "../../../src/engine/journal/journal.ts";

export const clock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

/** A folder of its own for a test, removed when the test has ended. */
export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "hypo-journal-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A journal that is closed when the test has ended. */
export async function opened(opening: Promise<Journal>): Promise<Journal> {
  const journal = await opening;
  onTestFinished(() => journal.close());
  return journal;
}

export function started(prompt: string): RunEvent {
  return { type: "agent_started", data: { agent: "root", prompt } };
}

export async function collect(facts: AsyncIterable<Fact>): Promise<Fact[]> {
  const collected: Fact[] = [];
  for await (const fact of facts) collected.push(fact);
  return collected;
}

export async function seqs(facts: AsyncIterable<Fact>): Promise<number[]> {
  return (await collect(facts)).map((fact) => fact.seq);
}

export function journalFile(folder: string): string {
  return join(folder, "journal.jsonl");
}

export async function readLines(folder: string): Promise<string[]> {
  return (await readFile(journalFile(folder), "utf8")).split("\n").slice(0, -1);
}

/** The HypoError that something ends with; fails where it ends well or otherwise. */
export async function errorOf(what: () => unknown): Promise<HypoError> {
  try {
    await what();
  } catch (error) {
    if (error instanceof HypoError) return error;
    throw error;
  }
  throw new Error("expected a HypoError, but nothing was thrown");
}
