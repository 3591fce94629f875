import { HypoError } from "../../domain/errors.ts";
import type { PlanData, TestPlan } from "../../domain/experiment.ts";
import { sha256 } from "../../domain/hash.ts";
import type { ProjectFiles, SourceStore } from "../../domain/ports.ts";

export interface DataPlaces {
  sources: Pick<SourceStore, "find" | "bytes">;
  project: Pick<ProjectFiles, "bytes">;
}

/** Names a data file by the hash of what is there now. Throws HypoError `refused`, `path_refused`. */
export async function hashData(
  file: { name: string; source?: string | undefined; path?: string | undefined },
  { sources, project }: DataPlaces,
): Promise<PlanData> {
  if (file.path !== undefined) return { name: file.name, sha256: sha256(await project.bytes(file.path)), from: "project", path: file.path };
  const source = file.source === undefined ? undefined : await sources.find(file.source);
  if (!source)
    throw new HypoError("refused", `Data file ${file.name} names neither a known source nor a path in the project.`, {
      hint: "download_source gives a source id.",
    });
  return { name: file.name, sha256: source.id, from: "source" };
}

/** A plan's data by name, each file checked against its frozen hash. Throws HypoError `refused`. */
export async function readPlanData(plan: TestPlan, places: DataPlaces): Promise<Record<string, Uint8Array>> {
  const entries = await Promise.all(
    plan.data.map(async (file): Promise<[string, Uint8Array]> => {
      const bytes = await findData(file, places);
      if (!bytes || sha256(bytes) !== file.sha256) {
        throw new HypoError("refused", `Data file ${file.name} is not what the plan froze (${file.sha256.slice(0, 12)}).`, {
          hint: "Restore the file, or register a new plan.",
        });
      }
      return [file.name, bytes];
    }),
  );
  return Object.fromEntries(entries);
}

/** What is in a data file's place now, unchecked. */
export async function findData(file: PlanData, { sources, project }: DataPlaces): Promise<Uint8Array | undefined> {
  return file.from === "source" ? sources.bytes(file.sha256) : project.bytes(file.path ?? file.name);
}
