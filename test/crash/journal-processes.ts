import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { Journal } from "../../src/engine/journal/journal.ts";
import { clock, collect, started } from "../unit/journal/support.ts";

export const writer = fileURLToPath(new URL("journal-writer.ts", import.meta.url));
export const racer = fileURLToPath(new URL("journal-lock-racer.ts", import.meta.url));

/** Runs a script until it ends; gives its output and the signal that ended it. */
export async function runScript(
  script: string,
  args: string[],
  killAfterMs?: number,
): Promise<{ output: string; errors: string; signal: string | null }> {
  const child = spawn(process.execPath, [script, ...args]);
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  if (killAfterMs !== undefined) {
    await once(child.stdout, "data");
    setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  }
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  return { output, errors, signal };
}

/** The highest fact that the writer called durable. */
export function lastDurable(output: string): number {
  return Math.max(0, ...output.split("\n").slice(0, -1).map(Number));
}

/**
 * Expects the facts to be a prefix of what an undisturbed writer makes, at least up to `durable`, and that it can
 * be gone on with; gives its length.
 */
export async function expectPrefix(folder: string, durable: number): Promise<number> {
  const journal = await Journal.open(folder, { clock });
  const facts = await collect(journal.ancestry("main"));
  const strange = facts.filter(
    (fact, index) => fact.seq !== index + 1 || fact.type !== "agent_started" || !isPromptOf(fact.seq, fact.data.prompt),
  );
  expect(strange).toEqual([]);
  expect(facts.length).toBeGreaterThanOrEqual(durable);
  await journal.append("main", facts.length, [started(`${facts.length + 1}:`)]).durable;
  await journal.close();
  return facts.length + 1;
}

function isPromptOf(seq: number, prompt: string): boolean {
  return /^(\d+):x*$/.exec(prompt)?.[1] === String(seq);
}
