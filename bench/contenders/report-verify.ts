/** Verifies a run as `hypo verify` does. Arguments: project, run. */
import { join } from "node:path";
import { handFigures } from "../harness/measure.ts";
import { importBuilt, timeOf } from "../harness/contender.ts";

const [project = "", run = ""] = process.argv.slice(2);
const { openEvidenceStores } = await importBuilt<typeof import("../../src/cli/runs/evidence-stores.ts")>("cli/runs/evidence-stores.ts");
const { verifyRun } = await importBuilt<typeof import("../../src/engine/verify/verify-run.ts")>("engine/verify/verify-run.ts");
const { processIo } = await importBuilt<typeof import("../../src/cli/io.ts")>("cli/io.ts");

const stateFolder = join(project, ".hypo");
const workMs = await timeOf(async () => {
  const stores = await openEvidenceStores(stateFolder, processIo());
  const { divergences } = await verifyRun(run, { stateFolder, ports: stores.ports });
  await stores.close();
  const [first] = divergences;
  if (first) throw new Error(`the run diverges: ${JSON.stringify(first)}`);
});
handFigures({ workMs });
