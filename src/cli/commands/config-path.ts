import { access } from "node:fs/promises";
import { configPaths } from "../config/layers.ts";
import { writeJson, writeOut, type Io } from "../io.ts";
import { findProject } from "../project/project.ts";
import type { ConfigOptions } from "./options.ts";

/** Says where configuration files are looked for. */
export async function configPathCommand(options: ConfigOptions, io: Io): Promise<number> {
  const paths = configPaths(await findProject(io.cwd), io.env);
  const files = await Promise.all(
    (["project", "user"] as const).map(async (name) => ({ name, path: paths[name] ?? null, exists: await doesExist(paths[name]) })),
  );
  if (options.json) writeJson(io, { files });
  else {
    const none = { project: "none: no .hypo folder here or above", user: "none: neither XDG_CONFIG_HOME nor HOME is an absolute path" };
    for (const { name, path, exists } of files) {
      writeOut(io, `${name.padEnd(8)} ${path ?? none[name]}${path === null || exists ? "" : " (not there yet)"}`);
    }
  }
  return 0;
}

async function doesExist(path: string | undefined): Promise<boolean> {
  if (path === undefined) return false;
  return access(path).then(
    () => true,
    () => false,
  );
}
