import type { CommandDefinition } from "../definition.ts";
import { LIMIT_OPTION } from "./shared.ts";

export const sourcesList: CommandDefinition = {
  name: "sources list",
  summary: "List stored sources, most recently retrieved first",
  description: "One line a source: its hash, type, size, title and address.",
  arguments: [],
  options: [LIMIT_OPTION],
  examples: [{ command: "hypo sources list --limit 50", says: "the fifty newest" }],
  isPaged: () => true,
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
  arguments: [{ name: "source", summary: "SHA-256 of the source, or its first 8 digits or more", required: true, completes: "source" }],
  options: [{ name: "text", summary: "print the whole derived text and nothing else" }],
  examples: [
    { command: "hypo sources show 9f86d081", says: "one source" },
    { command: "hypo sources show 9f86d081 --text | less", says: "read all of it" },
  ],
  isPaged: () => true,
  async start(given, common, io) {
    const { sourcesShowCommand } = await import("../commands/sources.ts");
    const { stores } = await import("../stores.ts");
    return sourcesShowCommand({ ...common, source: given.argument(0) ?? "", text: given.isSet("text") }, io, stores);
  },
};

const SOME_SOURCES = {
  name: "source",
  summary: "SHA-256 of a source, or its first 8 digits or more",
  variadic: true,
  completes: "source",
} as const;

export const sourcesSearch: CommandDefinition = {
  name: "sources search",
  summary: "Search stored sources",
  description:
    "All words must occur, or begin so, in a source's title, authors, site, identifiers or addresses, or in its text if " +
    "something cites it or you added it. Best match first.",
  arguments: [{ name: "words", summary: "what to search for", required: true, variadic: true }],
  options: [LIMIT_OPTION],
  examples: [{ command: "hypo sources search insertion sort", says: "sources on insertion sort" }],
  isPaged: () => true,
  async start(given, common, io) {
    const { sourcesSearchCommand } = await import("../commands/sources.ts");
    const { stores } = await import("../stores.ts");
    return sourcesSearchCommand({ ...common, query: given.words().join(" "), limit: given.number("limit") ?? 20 }, io, stores);
  },
};

export const sourcesAdd: CommandDefinition = {
  name: "sources add",
  summary: "Store your own files, folders or web pages as sources",
  description:
    "Files are stored under their hash like pages that were read. Of a folder all files are added, but none that may hold " +
    "secrets; what cannot be read as text is named and left out (exit code 1).",
  arguments: [{ name: "what", summary: "file, folder, or http(s) URL", required: true, variadic: true, completes: "file" }],
  options: [],
  examples: [
    { command: "hypo sources add papers/", says: "all files of a folder" },
    { command: "hypo sources add https://example.org/report.pdf", says: "a document from the web" },
  ],
  async start(given, common, io) {
    const { sourcesAddCommand } = await import("../commands/sources-add.ts");
    const { stores } = await import("../stores.ts");
    return sourcesAddCommand({ ...common, what: given.words() }, io, stores);
  },
};

export const sourcesRefresh: CommandDefinition = {
  name: "sources refresh",
  summary: "Ask the address of a source again",
  description:
    "The server is asked whether the document has changed (ETag, Last-Modified); your own files are looked at again. Every " +
    "asking is recorded; a changed document becomes a source of its own and the old one stays. What of all runs rests on one " +
    "that changed is counted, and listed by `hypo memory stale`.",
  arguments: [{ ...SOME_SOURCES, required: true }],
  options: [],
  examples: [{ command: "hypo sources refresh 9f86d081", says: "is it still what it was?" }],
  async start(given, common, io) {
    const { sourcesRefreshCommand } = await import("../commands/sources-refresh.ts");
    const { stores } = await import("../stores.ts");
    return sourcesRefreshCommand({ ...common, sources: given.words() }, io, stores);
  },
};

export const sourcesExport: CommandDefinition = {
  name: "sources export",
  summary: "Copy sources out of the store",
  description:
    "Writes the original bytes, the texts, sources.json with all that is known, and sources.bib. Without a source, all of them. What " +
    "cannot be read is named and left out (exit code 1).",
  arguments: [{ ...SOME_SOURCES, required: false }],
  options: [
    { name: "to", value: { name: "folder", kind: "text", completes: "folder" }, summary: "where to write (default: exported-sources)" },
  ],
  examples: [{ command: "hypo sources export --to bundle", says: "everything that was read" }],
  async start(given, common, io) {
    const { sourcesExportCommand } = await import("../commands/sources-export.ts");
    const { stores } = await import("../stores.ts");
    return sourcesExportCommand({ ...common, sources: given.words(), to: given.text("to") ?? "exported-sources" }, io, stores);
  },
};

export const sourcesVerify: CommandDefinition = {
  name: "sources verify",
  summary: "Check stored sources against their hashes",
  description: "Checks that metadata can be read and that bytes and kept texts are those recorded. Exit code 1 if any are not.",
  arguments: [{ ...SOME_SOURCES, required: false }],
  options: [],
  examples: [{ command: "hypo sources verify", says: "all sources" }],
  async start(given, common, io) {
    const { sourcesVerifyCommand } = await import("../commands/sources-verify.ts");
    const { stores } = await import("../stores.ts");
    return sourcesVerifyCommand({ ...common, sources: given.words() }, io, stores);
  },
};

export const sourcesGc: CommandDefinition = {
  name: "sources gc",
  summary: "Remove old sources that nothing cites",
  description:
    "Never removes what a note, a finding in any journal, a plan or an experiment cites, nor what an unfinished run has read. " +
    "If any of these cannot be read, nothing is removed.",
  arguments: [],
  options: [
    { name: "older-than", value: { name: "days", kind: "number" }, summary: "only those last retrieved so many days ago (default 30)" },
    { name: "dry-run", summary: "say what would be removed, and remove nothing" },
  ],
  examples: [{ command: "hypo sources gc --dry-run", says: "what could go" }],
  async start(given, common, io) {
    const { sourcesGcCommand } = await import("../commands/sources-gc.ts");
    const { stores } = await import("../stores.ts");
    return sourcesGcCommand({ ...common, olderThan: given.number("older-than") ?? 30, dryRun: given.isSet("dry-run") }, io, stores);
  },
};
