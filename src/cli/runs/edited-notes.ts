import type { ExplainedHit } from "../../memory/search/search-notes.ts";
import type { Project } from "../project/project.ts";
import type { Stores } from "../stores.ts";
import { readPublications } from "./published-notes.ts";

/** A run writes its note within this time of publishing it; a later change may be an edit, or a checkout by git. */
const WRITING_MS = 5000;

/** The ids of hits whose files are not as their runs published them. Journals are read only of notes that changed later. */
export async function findEdited(hits: readonly ExplainedHit[], project: Project, stores: Stores): Promise<ReadonlySet<string>> {
  const changed = hits.filter(({ run, created, file }) => run !== "" && !(file.changed - Date.parse(created) < WRITING_MS));
  const edited = new Set<string>();
  for (const [run, notes] of Map.groupBy(changed, (hit) => hit.run)) {
    const { published } = await readPublications(project, stores, run);
    for (const { id, file } of notes) {
      const publication = published.get(id);
      if (publication !== undefined && publication.sha256 !== file.sha256) edited.add(id);
    }
  }
  return edited;
}
