import type { CommandDefinition } from "../definition.ts";
import { LIMIT_OPTION } from "./shared.ts";

export const memorySearch: CommandDefinition = {
  name: "memory search",
  summary: "Search findings, hypotheses and questions of all runs",
  description:
    'Full-text search over the notes in .hypo/memory. Words are stemmed; "quoted words" must stand together; a final * matches prefixes.',
  arguments: [{ name: "query", summary: "what to look for", required: true, variadic: true }],
  options: [LIMIT_OPTION],
  examples: [
    { command: "hypo memory search sorting comparisons", says: "notes about both" },
    { command: "hypo memory search '\"merge sort\"' --json", says: "a phrase, for a script" },
  ],
  async start(given, common, io) {
    const { memorySearchCommand } = await import("../commands/memory.ts");
    const { stores } = await import("../stores.ts");
    return memorySearchCommand({ ...common, query: given.words().join(" "), limit: given.number("limit") ?? 20 }, io, stores);
  },
};

export const memoryStale: CommandDefinition = {
  name: "memory stale",
  summary: "List what rests on something that changed, was retracted or was withdrawn",
  description:
    "Looks at all runs: a source that reads differently now, a work that --check-refs found retracted, a note that you marked outdated or rejected. Everything that rests on one of them is listed: findings, verdicts, sentences of reports.",
  arguments: [],
  options: [],
  examples: [{ command: "hypo memory stale", says: "what needs another look" }],
  async start(_given, common, io) {
    const { memoryStaleCommand } = await import("../commands/memory-stale.ts");
    return memoryStaleCommand(common, io);
  },
};
