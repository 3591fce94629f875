import { HypoError } from "../../domain/errors.ts";
import type { PublishedNote } from "../../memory/rules/check-rules.ts";
import type { Project } from "../project/project.ts";
import type { Stores } from "../stores.ts";
import { listRuns, type RunPlace } from "./find-run.ts";

/** What the journals say of published notes, and the runs whose journals cannot be read. */
export interface Publications {
  published: Map<string, PublishedNote>;
  unread: string[];
}

/** The notes that the runs of a project published, by id; of one run only where `only` names it. */
export async function readPublications(project: Project | undefined, stores: Stores, only?: string): Promise<Publications> {
  const runs = (await listRuns(project)).filter(({ id }) => only === undefined || id === only);
  const publications: Publications = { published: new Map(), unread: [] };
  for (const run of runs) await readRunInto(publications, run, stores);
  return publications;
}

async function readRunInto({ published, unread }: Publications, run: RunPlace, stores: Stores): Promise<void> {
  try {
    const journal = await stores.readRun(run.folder, run.id);
    for (const branch of journal.heads.keys()) {
      for (const { finding, noteSha256 } of (await journal.state(branch)).findings.values()) {
        published.set(finding.id, { run: run.id, status: finding.status, sha256: noteSha256 });
      }
    }
  } catch (error) {
    if (!(error instanceof HypoError && error.code === "run_damaged")) throw error;
    unread.push(run.id);
  }
}
