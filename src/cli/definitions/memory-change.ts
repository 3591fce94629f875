import { OWN_NOTE_TYPES } from "../commands/store-options.ts";
import type { CommandDefinition } from "../definition.ts";

/** The commands that change, check and index notes. */

export const memoryAdd: CommandDefinition = {
  name: "memory add",
  summary: "Add a note of your own",
  description: "Writes a note that search finds and later runs are shown. Its text is --text, or what is piped in, or its title.",
  arguments: [{ name: "title", summary: "the note in one line", required: true, variadic: true }],
  options: [
    {
      name: "type",
      value: { name: "type", kind: "text", choices: OWN_NOTE_TYPES },
      summary: "what kind of note (default decision); facts are published by runs, with evidence",
    },
    { name: "text", value: { name: "markdown", kind: "text" }, summary: "the note's text" },
  ],
  examples: [
    { command: 'hypo memory add "We test on arrays of at most 64 items" --type decision', says: "a decision that runs should know" },
    { command: 'hypo memory add "Vendor benchmarks" --type lesson < lesson.md', says: "a longer text from a file" },
  ],
  async start(given, common, io) {
    const { memoryAddCommand } = await import("../commands/memory-change.ts");
    const { stores } = await import("../stores.ts");
    const type = OWN_NOTE_TYPES.find((each) => each === given.text("type")) ?? "decision";
    return memoryAddCommand({ ...common, type, title: given.words().join(" "), text: given.text("text") }, io, stores);
  },
};

export const memoryLink: CommandDefinition = {
  name: "memory link",
  summary: "Relate one note to another",
  description: "Writes the relation into the first note: supports, contradicts, refines, replicates or supersedes.",
  arguments: [
    { name: "from", summary: "id of the note that holds the relation", required: true, completes: "note" },
    { name: "kind", summary: "supports, contradicts, refines, replicates or supersedes", required: true },
    { name: "to", summary: "id of the other note", required: true, completes: "note" },
  ],
  options: [],
  examples: [{ command: "hypo memory link f-3f9a2b10c4 contradicts f-8811aa02dd", says: "two findings that disagree" }],
  async start(given, common, io) {
    const { memoryLinkCommand } = await import("../commands/memory-change.ts");
    const { stores } = await import("../stores.ts");
    const [from = "", kind = "", to = ""] = given.words();
    return memoryLinkCommand({ ...common, from, kind, to }, io, stores);
  },
};

export const memoryRetire: CommandDefinition = {
  name: "memory retire",
  summary: "Mark a note as outdated and name its successor",
  description: "The note keeps its text; its status becomes outdated and superseded_by names the note that holds now.",
  arguments: [
    { name: "note", summary: "id of the note whose time is over", required: true, completes: "note" },
    { name: "successor", summary: "id of the note that takes its place", required: true, completes: "note" },
  ],
  options: [],
  examples: [{ command: "hypo memory retire f-3f9a2b10c4 f-8811aa02dd", says: "the second replaces the first" }],
  async start(given, common, io) {
    const { memoryRetireCommand } = await import("../commands/memory-change.ts");
    const { stores } = await import("../stores.ts");
    return memoryRetireCommand({ ...common, note: given.argument(0) ?? "", successor: given.argument(1) ?? "" }, io, stores);
  },
};

export const memoryCheck: CommandDefinition = {
  name: "memory check",
  summary: "Check every note: form, ids, relations, rules, edits",
  description:
    "Names files that are no notes, ids that two files have, relations that lead nowhere, statuses without " +
    "the evidence they need, outdated notes without a successor, and notes edited since they were published. Exits 1 where something has " +
    "to be mended; an edit is none of that.",
  arguments: [],
  options: [],
  examples: [{ command: "hypo memory check", says: "before committing .hypo/memory" }],
  isPaged: () => true,
  async start(_given, common, io) {
    const { memoryCheckCommand } = await import("../commands/memory-check.ts");
    const { stores } = await import("../stores.ts");
    return memoryCheckCommand(common, io, stores);
  },
};

export const memoryRebuild: CommandDefinition = {
  name: "memory rebuild",
  summary: "Build the search index anew from the notes",
  description: "The index follows the files by itself; this is for when you do not trust it.",
  arguments: [],
  options: [],
  examples: [{ command: "hypo memory rebuild", says: "from nothing" }],
  async start(_given, common, io) {
    const { memoryRebuildCommand } = await import("../commands/memory-rebuild.ts");
    const { stores } = await import("../stores.ts");
    return memoryRebuildCommand(common, io, stores);
  },
};
