import type { SourceStore } from "../../domain/ports.ts";
import { readCitedSources } from "../../engine/read-report-basis.ts";
import type { Divergence, Verification } from "../../engine/verify/divergence.ts";
import { verifyRun } from "../../engine/verify/verify-run.ts";
import { writeJson, writeOut, type Io } from "../io.ts";
import { painterFor, type Paint } from "../output/color.ts";
import { plainLine } from "../output/plain-text.ts";
import { findProject } from "../project/project.ts";
import { openEvidenceStores } from "../runs/evidence-stores.ts";
import { findRun } from "../runs/find-run.ts";
import { checkReferences, referenceContext } from "../runs/reference-checks.ts";
import type { VerifyOptions } from "./options.ts";

/** Checks a run and lists every divergence. Resolves to 1 if there is one. */
export async function verifyCommand(options: VerifyOptions, io: Io): Promise<number> {
  const project = await findProject(io.cwd);
  const run = await findRun(project, options.run);
  const stateFolder = project?.state ?? "";
  const stores = await openEvidenceStores(stateFolder, io);
  try {
    const verification = await verifyRun(run.id, { stateFolder, ports: stores.ports });
    if (options.checkRefs) await addReferences(verification, run.folder, stateFolder, stores.ports.sources, io);
    if (options.json) writeJson(io, { run: run.id, ...verification });
    else writeOut(io, verificationLines(run.id, verification, painterFor(io.color.stdout)).join("\n"));
    return verification.divergences.length === 0 ? 0 : 1;
  } finally {
    await stores.close();
  }
}

/** What scholarly services say of the sources that the run cites. */
async function addReferences(verification: Verification, folder: string, state: string, sources: SourceStore, io: Io): Promise<void> {
  const ids = await readCitedSources(folder, sources);
  const checks = await checkReferences(ids, await referenceContext(state, sources, io));
  for (const check of ids.flatMap((id) => checks.get(id) ?? [])) {
    const where = `source ${check.source.slice(0, 12)}`;
    const remarks = check.remarks.length === 0 ? "" : `: ${check.remarks.join("; ")}`;
    const add = (kind: Divergence["kind"], what: string): void =>
      void verification.divergences.push({ kind, where, what: `${what}${remarks}.` });
    if (check.retracted) add("reference_retracted", "The work is retracted");
    if (check.status === "differs") add("reference_differs", "Its title or authors differ");
    if (check.status === "not_found") add("reference_unknown", "No service knows its DOI or arXiv id");
    if (check.status === "unchecked") verification.notes.push(`The reference of ${where} could not be checked${remarks}.`);
    if (check.status === "no_identifier") verification.notes.push(`The reference of ${where} has no DOI or arXiv id to ask about.`);
  }
}

function verificationLines(run: string, { divergences, notes, checked }: Verification, paint: Paint): string[] {
  const counts = Object.entries(checked).map(([kind, count]) => `${count} ${kind}`);
  const head =
    divergences.length === 0
      ? paint("good", "Nothing diverges.")
      : paint("bad", divergences.length === 1 ? "1 divergence:" : `${divergences.length} divergences:`);
  return [
    `${run}: ${head}`,
    ...divergences.map(divergenceLine),
    ...notes.map((note) => plainLine(`note: ${note}`)),
    paint("dim", `Checked: ${counts.join(", ")}.`),
  ];
}

function divergenceLine({ kind, where, what, claims }: Divergence): string {
  const rests = claims === undefined || claims.length === 0 ? "" : ` Claims rest on it: ${claims.join(", ")}.`;
  return `  ${plainLine(`${kind} ${where}: ${what}${rests}`)}`;
}
