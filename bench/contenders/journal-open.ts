/** Opens a journal as `hypo resume` does, and folds all its facts. Argument: the run's folder. */
import { handFigures } from "../harness/measure.ts";
import { importBuilt, timeOf } from "../harness/contender.ts";

const [folder = ""] = process.argv.slice(2);
const { Journal } = await importBuilt<typeof import("../../src/engine/journal/journal.ts")>("engine/journal/journal.ts");
const { systemClock } = await importBuilt<typeof import("../../src/engine/system-clock.ts")>("engine/system-clock.ts");
const { RunProjection } = await importBuilt<typeof import("../../src/engine/projection/run-projection.ts")>(
  "engine/projection/run-projection.ts",
);

const projection = new RunProjection();
const workMs = await timeOf(async () => {
  const journal = await Journal.open(folder, { clock: systemClock, onRecord: (record) => projection.apply(record) });
  await projection.stateOf("main", journal);
  await journal.close();
});
handFigures({ workMs });
