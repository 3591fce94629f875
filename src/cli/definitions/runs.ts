import type { CommandDefinition } from "../definition.ts";
import { LIMIT_OPTION } from "./shared.ts";

export const runs: CommandDefinition = {
  name: "runs",
  summary: "List the runs of this project, newest first",
  description: "One line a run: its state, when it began, what it spent and its question. A run that cannot be read is listed as damaged.",
  arguments: [],
  options: [LIMIT_OPTION],
  examples: [
    { command: "hypo runs", says: "the newest twenty" },
    { command: "hypo runs --limit 1 --json", says: "the newest, for a script" },
  ],
  async start(given, common, io) {
    const { runsCommand } = await import("../commands/runs.ts");
    const { stores } = await import("../stores.ts");
    return runsCommand({ ...common, limit: given.number("limit") ?? 20 }, io, stores);
  },
};
