import { z } from "zod";
import { wrapUntrusted } from "./envelope.ts";
import { defineTool, say } from "./tool.ts";

const Path = z.string().max(1000).describe("path within the project");

export const readFile = defineTool({
  name: "read",
  description: "Reads a text file of the project, with line numbers' range given by offset and limit.",
  input: z.strictObject({ path: Path, offset: z.int().min(0).optional(), limit: z.int().min(1).max(2000).optional() }),
  class: "rerunnable",
  async run({ path, offset, limit }, { run }) {
    const text = await run.ports.project.read(path, {
      ...(offset === undefined ? {} : { offset }),
      ...(limit === undefined ? {} : { limit }),
    });
    return say(wrapUntrusted(text, { file: path }, run.id));
  },
});

export const listFolder = defineTool({
  name: "ls",
  description: "Lists a folder of the project.",
  input: z.strictObject({ path: Path.default(".") }),
  class: "rerunnable",
  async run({ path }, { run }) {
    return say(wrapUntrusted(await run.ports.project.list(path), { folder: path }, run.id));
  },
});

export const grepFiles = defineTool({
  name: "grep",
  description: "Searches the project's files for a regular expression (JavaScript syntax).",
  input: z.strictObject({
    pattern: z.string().min(1).max(500),
    path: Path.default("."),
    glob: z.string().max(200).optional(),
    ignore_case: z.boolean().default(false),
    limit: z.int().min(1).max(500).default(100),
  }),
  class: "rerunnable",
  async run({ pattern, path, glob, ignore_case: ignoreCase, limit }, { run }) {
    const text = await run.ports.project.grep(pattern, { path, ignoreCase, limit, ...(glob === undefined ? {} : { glob }) });
    return say(wrapUntrusted(text, { grep: pattern }, run.id));
  },
});

export const findFiles = defineTool({
  name: "find",
  description: "Finds files of the project by a glob such as **/*.md.",
  input: z.strictObject({ glob: z.string().min(1).max(200), path: Path.default("."), limit: z.int().min(1).max(1000).default(200) }),
  class: "rerunnable",
  async run({ glob, path, limit }, { run }) {
    return say(wrapUntrusted(await run.ports.project.find(glob, { path, limit }), { find: glob }, run.id));
  },
});
