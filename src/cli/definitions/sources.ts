import type { CommandDefinition } from "../definition.ts";
import { LIMIT_OPTION } from "./shared.ts";

export const sourcesList: CommandDefinition = {
  name: "sources list",
  summary: "List stored sources, most recently retrieved first",
  description: "One line a source: its hash, type, size, title and address.",
  arguments: [],
  options: [LIMIT_OPTION],
  examples: [{ command: "hypo sources list --limit 50", says: "the fifty newest" }],
  async start(given, common, io) {
    const { sourcesListCommand } = await import("../commands/sources.ts");
    const { stores } = await import("../stores.ts");
    return sourcesListCommand({ ...common, limit: given.number("limit") ?? 20 }, io, stores);
  },
};

export const sourcesShow: CommandDefinition = {
  name: "sources show",
  summary: "Show a source: where it came from, and the text quotes are checked against",
  description: "Every retrieval of the source, what was found in the document itself, and the beginning of its derived text.",
  arguments: [{ name: "source", summary: "SHA-256 of the source, or its first 8 digits or more", required: true }],
  options: [{ name: "text", summary: "print the whole derived text and nothing else" }],
  examples: [
    { command: "hypo sources show 9f86d081", says: "one source" },
    { command: "hypo sources show 9f86d081 --text | less", says: "read all of it" },
  ],
  async start(given, common, io) {
    const { sourcesShowCommand } = await import("../commands/sources.ts");
    const { stores } = await import("../stores.ts");
    return sourcesShowCommand({ ...common, source: given.argument(0) ?? "", text: given.isSet("text") }, io, stores);
  },
};
