import { HypoError } from "../../domain/errors.ts";
import type { CommandDefinition } from "../definition.ts";

const DEFAULT_LIMIT = 50;

export const runs: CommandDefinition = {
  name: "runs",
  summary: "List the runs of this project, newest first",
  description:
    "One line a run: its state, when it began, what it spent and its question. A run whose journal cannot be read is listed " +
    "as damaged, with the reason.",
  arguments: [],
  options: [
    { name: "limit", value: { name: "n", kind: "integer", min: 1 }, summary: `most runs shown (default ${DEFAULT_LIMIT})` },
    { name: "all", summary: "show all runs" },
    { name: "active", summary: "only those that a process is at work on" },
  ],
  examples: [
    { command: "hypo runs", says: "the newest fifty" },
    { command: "hypo runs --limit 1 --json", says: "the newest, for a script" },
  ],
  isPaged: () => true,
  async start(given, common, io) {
    const all = given.isSet("all");
    const limit = given.number("limit");
    if (all && limit !== undefined)
      throw new HypoError("usage", "--all and --limit exclude each other.", { hint: "Leave one of them out." });
    const { runsCommand } = await import("../commands/runs.ts");
    const { stores } = await import("../stores.ts");
    return runsCommand({ ...common, limit: all ? undefined : (limit ?? DEFAULT_LIMIT), active: given.isSet("active") }, io, stores);
  },
};
