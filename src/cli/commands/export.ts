import { resolve } from "node:path";
import { readReportBasis } from "../../engine/read-report-basis.ts";
import { writeNamedOutput } from "../../files/named-output.ts";
import { exportReport } from "../../report/index.ts";
import { writeErr, writeJson, type Io } from "../io.ts";
import { findProject } from "../project/project.ts";
import { openEvidenceStores } from "../runs/evidence-stores.ts";
import { findRun } from "../runs/find-run.ts";
import { checkReferences, readReferenceChecks, referenceContext } from "../runs/reference-checks.ts";
import type { ExportOptions } from "./options.ts";

/** Writes the report of a run's branch in the asked form, from the journal. */
export async function exportCommand(options: ExportOptions, io: Io): Promise<number> {
  const project = await findProject(io.cwd);
  const run = await findRun(project, options.run);
  const state = project?.state ?? "";
  const stores = await openEvidenceStores(state, io);
  try {
    const { sources } = stores.ports;
    const { record, draft, whyCode } = await readReportBasis(run.folder, options.branch, sources);
    const checks = options.checkRefs
      ? await checkReferences(Object.keys(record.sources), await referenceContext(state, sources, io))
      : await readReferenceChecks(state);
    const text = exportReport(options.format, record, draft, { whyCode, checks });
    await deliver(text, run.id, options, io);
    return 0;
  } finally {
    await stores.close();
  }
}

async function deliver(text: string, run: string, { out, format, branch, json }: ExportOptions, io: Io): Promise<void> {
  const path = out === undefined ? undefined : resolve(io.cwd, out);
  if (path !== undefined) await writeNamedOutput(path, text);
  if (json) writeJson(io, path === undefined ? { run, branch, format, text } : { run, branch, format, path });
  else if (path === undefined) io.stdout.write(text);
  else writeErr(io, `Written: ${path}`);
}
