/**
 * A process to be killed: opens the journal of a folder (or makes it) and appends facts, writing the number of each
 * to stdout once it is durable. Arguments: folder, crash point or "-", how often the point is passed before it kills.
 */
import { existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunEvent } from "../../src/domain/events.ts";
import { Journal, type JournalOptions } from "../../src/engine/journal/journal.ts";

const [folder = ".", point = "-", times = "1"] = process.argv.slice(2);
let left = Number(times);

const options: JournalOptions = {
  clock: { now: () => new Date(), monotonic: () => performance.now(), sleep: (ms) => sleep(ms) },
  crashAt: (passed) => {
    if (passed === point && --left === 0) process.kill(process.pid, "SIGKILL");
  },
};

const exists = existsSync(join(folder, "journal.jsonl"));
const journal = exists ? await Journal.open(folder, options) : await Journal.create(folder, options);
if (point === "journal.before_release") await journal.close();
await Promise.all(Array.from({ length: 4 }, keepAppending));

async function keepAppending(): Promise<never> {
  for (;;) {
    const head = journal.head("main");
    const { durable } = journal.append("main", head, [promptNumber(head + 1), promptNumber(head + 2), promptNumber(head + 3)]);
    await durable;
    writeSync(1, `${head + 3}\n`);
  }
}

/** Says its own number, and some are long, so that a lost, torn or repeated fact shows. */
function promptNumber(seq: number): RunEvent {
  return { type: "agent_started", data: { agent: "root", prompt: `${seq}:${"x".repeat(seq % 7 === 0 ? 9000 : seq % 50)}` } };
}
