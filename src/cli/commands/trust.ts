import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import { parseConfigText, readConfigText } from "../config/config-file.ts";
import { CONFIG_KEYS, valueAt } from "../config/keys.ts";
import { projectConfigPath } from "../config/layers.ts";
import { inWords, shownValue } from "../config/show-value.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { plainLine } from "../output/plain-text.ts";
import { tableLines } from "../output/table.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject, type Project } from "../project/project.ts";
import { listTrusted, revokeTrust, trustConfig, type TrustRecord } from "../project/trust.ts";
import type { TrustOptions } from "./options.ts";

/** Trusts the project's configuration as it is now, takes trust back, or lists what is trusted. */
export async function trustCommand(options: TrustOptions, io: Io): Promise<number> {
  if (options.list) return listTrust(options, io);
  const project = await findProject(io.cwd);
  return options.revoke ? revoke(project?.root ?? io.cwd, options, io) : trust(project, options, io);
}

async function trust(project: Project | undefined, options: TrustOptions, io: Io): Promise<number> {
  const path = project && projectConfigPath(project);
  const text = path === undefined ? undefined : await readConfigText(path);
  if (project === undefined || path === undefined || text === undefined) {
    throw new HypoError("not_found", path === undefined ? "There is no hypo project here or above." : `There is no ${path} to trust.`, {
      hint: "Only a project with a .hypo/config.yaml needs trust; name another folder with `-C <dir>`.",
    });
  }
  const tree = parseConfigText(text, path);
  const { v: _version, ...record } = await trustConfig(project, text, io.env, io.now());
  const settings = CONFIG_KEYS.flatMap((key) => {
    const value = valueAt(tree, key.path);
    return value === undefined ? [] : [`${key.name} = ${inWords(shownValue(key, value))}`];
  });
  if (options.json) writeJson(io, { trusted: record });
  else {
    writeErr(io, plainLine(`Trusted until it changes: ${path}. It sets:`));
    for (const setting of settings) writeErr(io, `  ${plainLine(setting)}`);
  }
  return 0;
}

async function revoke(root: string, options: TrustOptions, io: Io): Promise<number> {
  const wasTrusted = await revokeTrust(root, io.env);
  if (options.json) writeJson(io, { folder: await realpath(root), revoked: wasTrusted });
  else writeErr(io, plainLine(wasTrusted ? `No longer trusted: ${root}.` : `${root} was not trusted.`));
  return 0;
}

async function listTrust(options: TrustOptions, io: Io): Promise<number> {
  const rows = await Promise.all((await listTrusted(io.env)).map(rowOf));
  if (options.json) writeJson(io, { trusted: rows });
  else if (rows.length === 0) writeErr(io, "No project is trusted.");
  else {
    const columns = [
      { title: "STATE", value: (row: (typeof rows)[number]) => row.state },
      { title: "SINCE", value: (row: (typeof rows)[number]) => row.at.slice(0, 10) },
      { title: "FOLDER", value: (row: (typeof rows)[number]) => row.folder },
    ];
    writeOut(io, tableLines(columns, rows, terminalWidth(io), painterFor(io.color.stdout)).join("\n"));
  }
  return 0;
}

async function rowOf(record: TrustRecord) {
  const { folder, config_sha256, at } = record;
  return { folder, config_sha256, at, state: await stateOf(record) };
}

/** Whether the file is still the one that was trusted. */
async function stateOf({ folder, config_sha256: trusted }: TrustRecord): Promise<"trusted" | "changed" | "gone"> {
  const text = await readConfigText(projectConfigPath({ root: folder, state: join(folder, ".hypo") })).catch(() => undefined);
  if (text === undefined) return "gone";
  return sha256(text) === trusted ? "trusted" : "changed";
}
