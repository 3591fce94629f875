import { HypoError } from "../../domain/errors.ts";
import { writeErr, type Io } from "../io.ts";
import { plainLine } from "../output/plain-text.ts";
import { findProject, type Project } from "../project/project.ts";
import type { ProjectMemory, Stores } from "../stores.ts";

/**
 * Opens the memory of the project around, uses it and closes it.
 *
 * @throws HypoError `not_found` outside a project.
 */
export async function withMemory<T>(io: Io, stores: Stores, use: (memory: ProjectMemory, project: Project) => Promise<T>): Promise<T> {
  const project = await findProject(io.cwd);
  if (!project) {
    throw new HypoError("not_found", "There is no hypo project here or above, so there is no memory.", {
      hint: "Name a project's folder with `-C <dir>`, or start one with `hypo run`.",
    });
  }
  const memory = await stores.openMemory(project.state, (line) => writeErr(io, plainLine(line)));
  try {
    return await use(memory, project);
  } finally {
    await memory.close();
  }
}
