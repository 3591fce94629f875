import { HypoError } from "../../domain/errors.ts";
import { writeFileAtomic } from "../../files/atomic.ts";
import { findPlaceToWrite } from "../../files/named-output.ts";
import { readConfigText } from "../config/config-file.ts";
import { withoutSetting, withSetting } from "../config/edit-text.ts";
import { findKey } from "../config/find-key.ts";
import { configPaths, projectConfigPath } from "../config/layers.ts";
import { readConfig, warnOfIgnored } from "../config/load.ts";
import { parseValue } from "../config/parse-value.ts";
import { inWords, shownValue } from "../config/show-value.ts";
import { writeErr, writeJson, type Io } from "../io.ts";
import { plainLine } from "../output/plain-text.ts";
import { withProject } from "../project/fresh-project.ts";
import { chooseProject, type Project } from "../project/project.ts";
import { isTrusted, revokeTrust, trustConfig } from "../project/trust.ts";
import { userStateFolder } from "../project/user-folders.ts";
import type { ConfigSetOptions, ConfigUnsetOptions } from "./options.ts";

/** Sets one key in the person's file or the project's, and leaves the rest of it as it is. */
export async function configSetCommand(options: ConfigSetOptions, io: Io): Promise<number> {
  const key = findKey(options.key);
  const value = parseValue(key, options.value, key.name);
  const file = await openConfigFile(options.project, io);
  await file.write(withSetting(file.text, file.path, key.path, value));
  const shown = shownValue(key, value);
  if (options.json) writeJson(io, { path: file.path, key: key.name, value: shown });
  else writeErr(io, plainLine(`Set ${key.name} to ${inWords(shown)} in ${file.path}.`));
  if (options.project) warnOfIgnored(await readConfig(io.cwd, io.env), io);
  return 0;
}

/** Takes one key out of the file, so that what stands below it applies again. */
export async function configUnsetCommand(options: ConfigUnsetOptions, io: Io): Promise<number> {
  const file = await openConfigFile(options.project, io);
  const changed = withoutSetting(file.text ?? "", file.path, options.key);
  if (changed !== undefined) await file.write(changed);
  if (options.json) writeJson(io, { path: file.path, key: options.key, changed: changed !== undefined });
  else
    writeErr(
      io,
      plainLine(changed === undefined ? `${file.path} does not set ${options.key}.` : `Took ${options.key} out of ${file.path}.`),
    );
  return 0;
}

interface EditableFile {
  path: string;
  /** Undefined where there is no file yet. */
  text: string | undefined;
  write(text: string): Promise<void>;
}

async function openConfigFile(ofProject: boolean, io: Io): Promise<EditableFile> {
  return ofProject ? openProjectFile(await chooseProject(io.cwd), io) : openUserFile(io);
}

async function openUserFile(io: Io): Promise<EditableFile> {
  const path = configPaths(undefined, io.env).user;
  if (path === undefined) {
    throw new HypoError("not_configured", "There is no place for your settings: neither XDG_CONFIG_HOME nor HOME is an absolute path.", {
      hint: "Set HOME to your folder, from `/` on, or set the project's with --project.",
    });
  }
  return { path, text: await readConfigText(path), write: (changed) => writeBehindLink(path, changed) };
}

/** What the person sets here themselves needs no further trust; a file by others stays untrusted by it. */
async function openProjectFile(project: Project, io: Io): Promise<EditableFile> {
  const path = projectConfigPath(project);
  const text = await readConfigText(path);
  const isOurs = text === undefined || (await isTrusted(project, text, io.env));
  const canBeKept = userStateFolder(io.env) !== undefined;
  const write = async (changed: string): Promise<void> => {
    if (!isOurs || !canBeKept) return writeBehindLink(path, changed);
    // First, so that the file stays as it was where this cannot be kept.
    await trustConfig(project, changed, io.env, io.now());
    try {
      await writeBehindLink(path, changed);
    } catch (error) {
      await (text === undefined ? revokeTrust(project.root, io.env) : trustConfig(project, text, io.env, io.now()));
      throw error;
    }
  };
  return { path, text, write: (changed) => withProject(project, () => write(changed)) };
}

/** A link to a file elsewhere (as those who keep their settings in a repository have) stays one. */
async function writeBehindLink(path: string, text: string): Promise<void> {
  await writeFileAtomic(await findPlaceToWrite(path), text);
}
