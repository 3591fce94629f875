/** Appends the same facts as plain JSON by a bare loop of write and fdatasync. Arguments: file, facts, lines a sync. */
import { open } from "node:fs/promises";
import { handFigures } from "../harness/measure.ts";
import { timeOf } from "../harness/contender.ts";
import { longRun } from "../fixtures/facts.ts";

const [path = "", facts = "", linesASync = ""] = process.argv.slice(2);
const events = [...longRun(Number(facts))];
const file = await open(path, "a");
const step = Number(linesASync);
const workMs = await timeOf(async () => {
  for (let from = 0; from < events.length; from += step) {
    const lines = events.slice(from, from + step).map((event) => `${JSON.stringify(event)}\n`);
    await file.write(lines.join(""));
    await file.datasync();
  }
});
await file.close();
handFigures({ workMs, perSecond: events.length / (workMs / 1000) });
