import type { MemoryFilterOptions } from "../commands/store-options.ts";
import type { CommandDefinition, OptionDefinition } from "../definition.ts";
import type { Given } from "../given.ts";
import { LIMIT_OPTION } from "./shared.ts";

/** The commands that look at notes; those that change them are in memory-change.ts. */

const FILTER_OPTIONS: readonly OptionDefinition[] = [
  { name: "type", value: { name: "type", kind: "text" }, summary: "only notes of a type (fact, lesson, ...) or a folder (findings, ...)" },
  { name: "status", value: { name: "status", kind: "text" }, summary: "only notes with a status (observed, corroborated, outdated, ...)" },
  { name: "run", value: { name: "run", kind: "text", completes: "run" }, summary: "only notes of runs whose id begins so, or last" },
  { name: "source", value: { name: "id", kind: "text", completes: "source" }, summary: "only notes that cite a source whose id begins so" },
  { name: "before", value: { name: "day", kind: "text" }, summary: "only notes made before a day, month or year: 2026-03-15" },
  { name: "after", value: { name: "day", kind: "text" }, summary: "only notes made on or after a day, month or year" },
  {
    name: "related-to",
    value: { name: "id", kind: "text", completes: "note" },
    summary: "only notes related to a note, in either direction",
  },
];

function readFilterOptions(given: Given): MemoryFilterOptions {
  return {
    type: given.text("type"),
    status: given.text("status"),
    run: given.text("run"),
    source: given.text("source"),
    before: given.text("before"),
    after: given.text("after"),
    relatedTo: given.text("related-to"),
  };
}

export const memorySearch: CommandDefinition = {
  name: "memory search",
  summary: "Search findings, hypotheses and questions of all runs",
  description:
    'Finds notes in .hypo/memory by meaning of words: endings, case and accents do not matter. "quoted words" must stand ' +
    "together unless they are part of a whole question, -word leaves notes out, a final * matches beginnings, and field:value " +
    "does what the options do. Misspelt words are corrected where no note holds them. Notes that were edited since their run " +
    "published them are marked.",
  arguments: [{ name: "query", summary: "what to look for", required: true, variadic: true }],
  options: [...FILTER_OPTIONS, LIMIT_OPTION, { name: "explain", summary: "show what each word added to a note's score" }],
  examples: [
    { command: "hypo memory search sorting comparisons", says: "notes about both" },
    { command: "hypo memory search '\"merge sort\" -quick' --type fact --after 2026", says: "a phrase without a word, facts of this year" },
  ],
  isPaged: () => true,
  async start(given, common, io) {
    const { memorySearchCommand } = await import("../commands/memory-search.ts");
    const { stores } = await import("../stores.ts");
    const options = { ...common, ...readFilterOptions(given), explain: given.isSet("explain") };
    return memorySearchCommand({ ...options, query: given.words().join(" "), limit: given.number("limit") ?? 20 }, io, stores);
  },
};

export const memoryList: CommandDefinition = {
  name: "memory list",
  summary: "List notes, newest first",
  description: "One line a note, with the filters that search has.",
  arguments: [],
  options: [...FILTER_OPTIONS, LIMIT_OPTION],
  examples: [{ command: "hypo memory list --type lessons", says: "what earlier runs taught" }],
  isPaged: () => true,
  async start(given, common, io) {
    const { memoryListCommand } = await import("../commands/memory-list.ts");
    const { stores } = await import("../stores.ts");
    return memoryListCommand({ ...common, ...readFilterOptions(given), limit: given.number("limit") ?? 20 }, io, stores);
  },
};

export const memoryShow: CommandDefinition = {
  name: "memory show",
  summary: "Show a note",
  description: "Renders it at a terminal, and says where it was edited since its run published it. Piped, it is the file's own text.",
  arguments: [{ name: "note", summary: "the note's id, or any unambiguous beginning of it", required: true, completes: "note" }],
  options: [],
  examples: [{ command: "hypo memory show f-3f9a2b10c4", says: "one finding" }],
  isPaged: () => true,
  async start(given, common, io) {
    const { memoryShowCommand } = await import("../commands/memory-show.ts");
    const { stores } = await import("../stores.ts");
    return memoryShowCommand({ ...common, note: given.argument(0) ?? "" }, io, stores);
  },
};

export const memoryExport: CommandDefinition = {
  name: "memory export",
  summary: "Print every note as a line of JSON",
  description: "JSON Lines on stdout: frontmatter, title and sections of each note, in the order of their paths.",
  arguments: [],
  options: [],
  examples: [{ command: "hypo memory export > notes.jsonl", says: "all notes, for another program" }],
  async start(_given, common, io) {
    const { memoryExportCommand } = await import("../commands/memory-list.ts");
    const { stores } = await import("../stores.ts");
    return memoryExportCommand(common, io, stores);
  },
};

export const memoryStale: CommandDefinition = {
  name: "memory stale",
  summary: "List what rests on something that changed, was retracted or was withdrawn",
  description:
    "Looks at all runs: a source that reads differently now, a work that --check-refs found retracted, a note that you marked " +
    "outdated or rejected. Everything that rests on one of them is listed: findings, verdicts, sentences of reports.",
  arguments: [],
  options: [],
  examples: [{ command: "hypo memory stale", says: "what needs another look" }],
  isPaged: () => true,
  async start(_given, common, io) {
    const { memoryStaleCommand } = await import("../commands/memory-stale.ts");
    const { stores } = await import("../stores.ts");
    return memoryStaleCommand(common, io, stores);
  },
};
