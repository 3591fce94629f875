/** Appends facts to hypo's journal by several writers at once. Arguments: folder, facts, writers. */
import { handFigures } from "../harness/measure.ts";
import { importBuilt, timeOf } from "../harness/contender.ts";
import { longRun } from "../fixtures/facts.ts";

const [folder = "", facts = "", writers = ""] = process.argv.slice(2);
const { Journal } = await importBuilt<typeof import("../../src/engine/journal/journal.ts")>("engine/journal/journal.ts");
const { systemClock } = await importBuilt<typeof import("../../src/engine/system-clock.ts")>("engine/system-clock.ts");

const events = [...longRun(Number(facts))];
const journal = await Journal.create(folder, { clock: systemClock });
let next = 0;
const workMs = await timeOf(() => Promise.all(Array.from({ length: Number(writers) }, keepAppending)));
await journal.close();
handFigures({ workMs, perSecond: events.length / (workMs / 1000) });

async function keepAppending(): Promise<void> {
  for (let event = events[next++]; event !== undefined; event = events[next++]) {
    await journal.append("main", journal.head("main"), [event]).durable;
  }
}
