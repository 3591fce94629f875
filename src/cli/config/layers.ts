import { join } from "node:path";
import { Config } from "../../domain/config.ts";
import { HypoError } from "../../domain/errors.ts";
import type { CapOptions, ModelOptions } from "../commands/options.ts";
import { findProject, type Project } from "../project/project.ts";
import { isTrusted } from "../project/trust.ts";
import { userConfigFolder } from "../project/user-folders.ts";
import { readConfigFile } from "./config-file.ts";
import { readEnvironment } from "./environment.ts";
import { readFlags } from "./flags.ts";
import { isTree } from "./keys.ts";
import { filterProject, type IgnoredSetting } from "./project-allowlist.ts";

type Tree = Record<string, unknown>;
type Env = Readonly<Record<string, string | undefined>>;

/** Where the value of a key came from. */
export type Origin = "default" | "user" | "project" | "environment" | "flag";
/** What one place sets; later layers win over earlier ones. */
type Layer = readonly [Exclude<Origin, "default">, Tree];

export interface ConfigPaths {
  /** Undefined where neither XDG_CONFIG_HOME nor HOME names an absolute path. */
  user: string | undefined;
  /** Undefined outside a project. */
  project: string | undefined;
}

export interface Layers {
  layers: readonly Layer[];
  paths: ConfigPaths;
  /** What the project's file sets in vain, since the person has not trusted it. */
  ignored: readonly IgnoredSetting[];
}

interface Places {
  cwd: string;
  env: Env;
  flags: Partial<ModelOptions & CapOptions>;
}

/**
 * Reads every place of the configuration. One that is broken goes to `onProblem`; if that returns, the place counts as
 * setting nothing.
 */
export async function readLayers({ cwd, env, flags }: Places, onProblem: (problem: HypoError) => void): Promise<Layers> {
  const project = await findProject(cwd);
  const paths = configPaths(project, env);
  const orReport = async <T>(reading: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await reading();
    } catch (error) {
      if (!(error instanceof HypoError)) throw error;
      onProblem(error);
      return undefined;
    }
  };
  const user = paths.user && (await orReport(() => readConfigFile(paths.user ?? "")));
  const userTree = user ? user.tree : {};
  const shared = project && (await orReport(() => readProjectLayer(project, env, Config.parse(userTree))));
  const layers: Layer[] = [
    ["user", userTree],
    ["project", shared?.kept ?? {}],
    ["environment", (await orReport(() => readEnvironment(env))) ?? {}],
    ["flag", (await orReport(() => readFlags(flags))) ?? {}],
  ];
  return { layers, paths, ignored: shared?.ignored ?? [] };
}

/** All of a trusted file; of another what a stranger may set. */
async function readProjectLayer(project: Project, env: Env, below: Config): Promise<ReturnType<typeof filterProject>> {
  const file = await readConfigFile(projectConfigPath(project));
  if (file === undefined) return { kept: {}, ignored: [] };
  const filtered = filterProject(file.tree, below);
  const needsTrust = filtered.ignored.length > 0;
  return needsTrust && (await isTrusted(project, file.text, env)) ? { kept: file.tree, ignored: [] } : filtered;
}

/** Where the files are looked for, whether they exist or not. */
export function configPaths(project: Project | undefined, env: Env): ConfigPaths {
  const folder = userConfigFolder(env);
  return { user: folder && join(folder, "config.yaml"), project: project && projectConfigPath(project) };
}

/** Where a project's configuration is, if it has one. */
export function projectConfigPath(project: Project): string {
  return join(project.state, "config.yaml");
}

/** All layers in one. Sections are merged key by key; lists are replaced whole. */
export function mergeLayers(layers: readonly Layer[]): Tree {
  return layers.reduce<Tree>((below, [, layer]) => merge(below, layer), {});
}

function merge(below: Tree, above: Tree): Tree {
  const merged = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = merged[key];
    merged[key] = isTree(value) && isTree(under) ? merge(under, value) : value;
  }
  return merged;
}
