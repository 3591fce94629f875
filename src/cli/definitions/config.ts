import type { ArgumentDefinition, CommandDefinition, OptionDefinition } from "../definition.ts";
import { CAP_OPTIONS, MODEL_OPTIONS, readCaps, readModels } from "./shared.ts";

const KEY_ARGUMENT: ArgumentDefinition = { name: "key", summary: "a setting, such as budget.usd", required: true, completes: "key" };

const PROJECT_OPTION: OptionDefinition = { name: "project", summary: "in the project's file instead of yours" };

export const configList: CommandDefinition = {
  name: "config list",
  summary: "List every setting with its value and where it came from",
  description:
    "Flags win over HYPO_* variables, those over the project's file, that over yours, that over the defaults. Keys are never printed. " +
    "A file that is broken is named and left out, and the exit code is 2.",
  arguments: [],
  options: [...MODEL_OPTIONS, ...CAP_OPTIONS],
  examples: [
    { command: "HYPO_BUDGET_USD=1 hypo config list", says: "see what would apply" },
    { command: "hypo config list --max-time 30 --json", says: "the same with a flag of `hypo run`, for a script" },
  ],
  isPaged: () => true,
  async start(given, common, io) {
    const { configListCommand } = await import("../commands/config-list.ts");
    return configListCommand({ ...common, ...readModels(given), ...readCaps(given) }, io);
  },
};

export const configGet: CommandDefinition = {
  name: "config get",
  summary: "Print one setting",
  description: "The value that applies, wherever it comes from; nothing where it is not set. Keys are never printed.",
  arguments: [KEY_ARGUMENT],
  options: [],
  examples: [{ command: "hypo config get budget.usd", says: "what a run may spend" }],
  async start(given, common, io) {
    const { configGetCommand } = await import("../commands/config-get.ts");
    return configGetCommand({ ...common, key: given.argument(0) ?? "" }, io);
  },
};

export const configSet: CommandDefinition = {
  name: "config set",
  summary: "Change one setting in your file, or the project's",
  description:
    "Checks the value and writes it; comments and everything else in the file stay. Items of a list stand between commas; " +
    "budget.usd takes none for no cap. A project's file that was made here by this command, or was trusted before, is trusted " +
    "as it is after the change (see `hypo help trust`).",
  arguments: [KEY_ARGUMENT, { name: "value", summary: "the new value", required: true }],
  options: [PROJECT_OPTION],
  examples: [
    { command: "hypo config set search.searxng_url http://localhost:8080", says: "in your own file, for every project" },
    { command: "hypo config set --project budget.usd 2", says: "in the project's file" },
  ],
  async start(given, common, io) {
    const { configSetCommand } = await import("../commands/config-set.ts");
    const [key = "", value = ""] = given.words();
    return configSetCommand({ ...common, key, value, project: given.isSet("project") }, io);
  },
};

export const configUnset: CommandDefinition = {
  name: "config unset",
  summary: "Take one setting out of your file, or the project's",
  description: "What stands below it then applies again. A key that hypo does not know can be taken out too.",
  arguments: [KEY_ARGUMENT],
  options: [PROJECT_OPTION],
  examples: [{ command: "hypo config unset budget.usd", says: "back to the default" }],
  async start(given, common, io) {
    const { configUnsetCommand } = await import("../commands/config-set.ts");
    return configUnsetCommand({ ...common, key: given.argument(0) ?? "", project: given.isSet("project") }, io);
  },
};

export const configPath: CommandDefinition = {
  name: "config path",
  summary: "Show where configuration files are looked for",
  description: "The project's file and yours, and whether they exist.",
  arguments: [],
  options: [],
  examples: [{ command: "hypo config path", says: "find the files to edit" }],
  async start(_given, common, io) {
    const { configPathCommand } = await import("../commands/config-path.ts");
    return configPathCommand(common, io);
  },
};

export const configSchema: CommandDefinition = {
  name: "config schema",
  summary: "Print the JSON Schema of configuration files",
  description: "For editors: they then complete keys and mark what is not allowed.",
  arguments: [],
  options: [],
  examples: [
    {
      command: "hypo config schema > hypo.schema.json",
      says: "then begin config.yaml with: # yaml-language-server: $schema=hypo.schema.json",
    },
  ],
  isPaged: () => true,
  async start(_given, common, io) {
    const { configSchemaCommand } = await import("../commands/config-schema.ts");
    return configSchemaCommand(common, io);
  },
};
