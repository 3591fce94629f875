import { join } from "node:path";
import { Config } from "../../domain/config.ts";
import type { CapOptions, ModelOptions } from "../commands/options.ts";
import { findProject, type Project } from "../project/project.ts";
import { readConfigFile } from "./config-file.ts";
import { readEnvironment } from "./environment.ts";
import { readFlags } from "./flags.ts";
import { CONFIG_KEYS, isTree, valueAt } from "./keys.ts";

/** Where the value of a key came from. */
export type Origin = "default" | "user" | "project" | "environment" | "flag";

export interface LoadedConfig {
  config: Config;
  /** By dotted key, for every key. */
  origins: ReadonlyMap<string, Origin>;
  paths: ConfigPaths;
}

export interface ConfigPaths {
  /** Undefined where there is neither XDG_CONFIG_HOME nor HOME. */
  user: string | undefined;
  /** Undefined outside a project. */
  project: string | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The configuration that applies: flags over environment over project over user over defaults.
 *
 * @throws HypoError `config_invalid` naming file and line, variable or flag.
 */
export async function loadConfig(cwd: string, env: Env, flags: Partial<ModelOptions & CapOptions> = {}): Promise<LoadedConfig> {
  const paths = configPaths(await findProject(cwd), env);
  const layers: (readonly [Origin, Record<string, unknown>])[] = [
    ["user", (paths.user === undefined ? undefined : await readConfigFile(paths.user)) ?? {}],
    ["project", (paths.project === undefined ? undefined : await readConfigFile(paths.project)) ?? {}],
    ["environment", readEnvironment(env)],
    ["flag", readFlags(flags)],
  ];
  return {
    config: Config.parse(layers.reduce<Record<string, unknown>>((below, [, layer]) => merge(below, layer), {})),
    origins: new Map(CONFIG_KEYS.map((key) => [key.name, originOf(layers, key.path)])),
    paths,
  };
}

/** Where the files are looked for, whether they exist or not. */
export function configPaths(project: Project | undefined, env: Env): ConfigPaths {
  // The XDG specification has relative paths ignored.
  const xdg = env["XDG_CONFIG_HOME"]?.startsWith("/") === true ? env["XDG_CONFIG_HOME"] : undefined;
  const home = env["HOME"];
  const base = xdg ?? (home ? join(home, ".config") : undefined);
  return {
    user: base === undefined ? undefined : join(base, "hypo", "config.yaml"),
    project: project && join(project.state, "config.yaml"),
  };
}

function originOf(layers: readonly (readonly [Origin, Record<string, unknown>])[], path: readonly string[]): Origin {
  return layers.findLast(([, layer]) => valueAt(layer, path) !== undefined)?.[0] ?? "default";
}

/** Sections are merged key by key; lists are replaced whole. */
function merge(below: Record<string, unknown>, above: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = merged[key];
    merged[key] = isTree(value) && isTree(under) ? merge(under, value) : value;
  }
  return merged;
}
