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
