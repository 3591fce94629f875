import type { CommandDefinition } from "../definition.ts";

export const configList: CommandDefinition = {
  name: "config list",
  summary: "List every setting with its value and where it came from",
  description:
    "Flags win over HYPO_* variables, those over the project's file, that over yours, that over the defaults. Keys are never printed.",
  arguments: [],
  options: [],
  examples: [{ command: "HYPO_BUDGET_USD=1 hypo config list", says: "see what would apply" }],
  async start(_given, common, io) {
    const { configListCommand } = await import("../commands/config.ts");
    return configListCommand(common, io);
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
    const { configPathCommand } = await import("../commands/config.ts");
    return configPathCommand(common, io);
  },
};
