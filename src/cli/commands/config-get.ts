import { findKey } from "../config/find-key.ts";
import { valueAt } from "../config/keys.ts";
import { loadConfig } from "../config/load.ts";
import { shownValue } from "../config/show-value.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { plainBlock } from "../output/plain-text.ts";
import type { ConfigGetOptions } from "./options.ts";

/** Prints one value that applies, as `config set` would take it; nothing where it is not set. */
export async function configGetCommand(options: ConfigGetOptions, io: Io): Promise<number> {
  const key = findKey(options.key);
  const { config, origins } = await loadConfig(io);
  const value = shownValue(key, valueAt(config, key.path));
  if (options.json) writeJson(io, { key: key.name, value: value ?? null, origin: origins.get(key.name) ?? "default" });
  else if (value === undefined) writeErr(io, `${key.name} is not set.`);
  else writeOut(io, plainBlock(asGiven(value)));
  return 0;
}

/** As `config set` would take it. */
function asGiven(value: unknown): string {
  if (value === null) return "none";
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}
