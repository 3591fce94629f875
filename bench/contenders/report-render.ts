/** Renders the report of a run as `hypo export --format html` does, from the journal on. Arguments: project, run. */
import { join } from "node:path";
import { handFigures } from "../harness/measure.ts";
import { importBuilt, timeOf } from "../harness/contender.ts";

const [project = "", run = ""] = process.argv.slice(2);
const { openEvidenceStores } = await importBuilt<typeof import("../../src/cli/runs/evidence-stores.ts")>("cli/runs/evidence-stores.ts");
const { readReportBasis } = await importBuilt<typeof import("../../src/engine/read-report-basis.ts")>("engine/read-report-basis.ts");
const { exportReport } = await importBuilt<typeof import("../../src/report/index.ts")>("report/index.ts");
const { processIo } = await importBuilt<typeof import("../../src/cli/io.ts")>("cli/io.ts");

const stores = await openEvidenceStores(join(project, ".hypo"), processIo());
const workMs = await timeOf(async () => {
  const { record, draft, whyCode } = await readReportBasis(join(project, ".hypo/runs", run), "main", stores.ports.sources);
  exportReport("html", record, draft, { whyCode });
});
await stores.close();
handFigures({ workMs });
