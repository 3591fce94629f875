import { access } from "node:fs/promises";
import { CONFIG_KEYS, valueAt, type ConfigKey } from "../config/keys.ts";
import { configPaths, loadConfig, type Origin } from "../config/load.ts";
import { writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { tableLines } from "../output/table.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject } from "../project/project.ts";
import type { ConfigOptions } from "./options.ts";

interface Setting {
  key: string;
  value: unknown;
  origin: Origin;
}

/** Lists every key with its value and origin. */
export async function configListCommand(options: ConfigOptions, io: Io): Promise<number> {
  const { config, origins } = await loadConfig(io.cwd, io.env);
  const settings = CONFIG_KEYS.map((key): Setting => ({
    key: key.name,
    value: shownValue(key, valueAt(config, key.path)),
    origin: origins.get(key.name) ?? "default",
  }));
  if (options.json) {
    writeJson(io, { settings: settings.map((each) => ({ ...each, value: each.value ?? null })) });
    return 0;
  }
  const lines = tableLines<Setting>(
    [
      { title: "KEY", value: (row) => row.key },
      { title: "VALUE", value: (row) => inWords(row.value), max: 60 },
      { title: "FROM", value: (row) => row.origin, tone: (row) => (row.origin === "default" ? "dim" : "accent") },
    ],
    settings,
    terminalWidth(io),
    painterFor(io.color.stdout),
  );
  writeOut(io, lines.join("\n"));
  return 0;
}

/** Says where configuration files are looked for. */
export async function configPathCommand(options: ConfigOptions, io: Io): Promise<number> {
  const paths = configPaths(await findProject(io.cwd), io.env);
  const files = await Promise.all(
    (["project", "user"] as const).map(async (name) => ({ name, path: paths[name] ?? null, exists: await doesExist(paths[name]) })),
  );
  if (options.json) writeJson(io, { files });
  else {
    const none = { project: "none: no .hypo folder here or above", user: "none: neither XDG_CONFIG_HOME nor HOME is set" };
    for (const { name, path, exists } of files) {
      writeOut(io, `${name.padEnd(8)} ${path ?? none[name]}${path === null || exists ? "" : " (not there yet)"}`);
    }
  }
  return 0;
}

function shownValue(key: ConfigKey, value: unknown): unknown {
  return key.isSecret && value !== undefined ? "(set)" : value;
}

function inWords(value: unknown): string {
  if (value === undefined) return "-";
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function doesExist(path: string | undefined): Promise<boolean> {
  if (path === undefined) return false;
  return access(path).then(
    () => true,
    () => false,
  );
}
