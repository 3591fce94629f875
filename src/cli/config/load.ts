import { Config } from "../../domain/config.ts";
import type { HypoError } from "../../domain/errors.ts";
import type { CapOptions, ModelOptions } from "../commands/options.ts";
import { writeErr, type Io } from "../io.ts";
import { plainLine } from "../output/plain-text.ts";
import { CONFIG_KEYS, valueAt } from "./keys.ts";
import { mergeLayers, readLayers, type ConfigPaths, type Layers, type Origin } from "./layers.ts";
import { describeIgnored, type IgnoredSetting } from "./project-allowlist.ts";

export interface LoadedConfig {
  config: Config;
  /** By dotted key, for every key. */
  origins: ReadonlyMap<string, Origin>;
  paths: ConfigPaths;
  /** What the project's file sets in vain, since the person has not trusted it. */
  ignored: readonly IgnoredSetting[];
}

type Env = Readonly<Record<string, string | undefined>>;
type Flags = Partial<ModelOptions & CapOptions>;

/**
 * The configuration that applies: flags over environment over project over user over defaults. What an untrusted
 * project sets in vain is named in one line on stderr.
 *
 * @throws HypoError `config_invalid` naming file and line, variable or flag.
 */
export async function loadConfig(io: Pick<Io, "cwd" | "env" | "stderr">, flags: Flags = {}): Promise<LoadedConfig> {
  const loaded = await readConfig(io.cwd, io.env, flags);
  warnOfIgnored(loaded, io);
  return loaded;
}

/** The same without a word: the caller says what is ignored. */
export async function readConfig(cwd: string, env: Env, flags: Flags = {}): Promise<LoadedConfig> {
  return resolve(
    await readLayers({ cwd, env, flags }, (problem) => {
      throw problem;
    }),
  );
}

/** The same with places that are broken left out, and what is wrong with them. Never throws `config_invalid`. */
export async function surveyConfig(cwd: string, env: Env, flags: Flags = {}): Promise<LoadedConfig & { problems: HypoError[] }> {
  const problems: HypoError[] = [];
  const layers = await readLayers({ cwd, env, flags }, (problem) => problems.push(problem));
  return { ...resolve(layers), problems };
}

/** Names what an untrusted project sets in vain. */
export function warnOfIgnored({ paths, ignored }: LoadedConfig, io: Pick<Io, "stderr">): void {
  if (ignored.length > 0) writeErr(io, plainLine(describeIgnored(paths.project ?? "", ignored)));
}

function resolve({ layers, paths, ignored }: Layers): LoadedConfig {
  const originOf = (path: readonly string[]): Origin => layers.findLast(([, tree]) => valueAt(tree, path) !== undefined)?.[0] ?? "default";
  return {
    // Each layer was checked by itself, and what is allowed for a key does not depend on others.
    config: Config.parse(mergeLayers(layers)),
    origins: new Map(CONFIG_KEYS.map((key) => [key.name, originOf(key.path)])),
    paths,
    ignored,
  };
}
