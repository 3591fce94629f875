import { messageOf } from "../../domain/errors.ts";
import type { NoteProblem } from "./note.ts";
import { readOwnLines } from "./yaml-lines-reader.ts";

export interface Frontmatter {
  values: ReadonlyMap<string, unknown>;
  /** The line of a key in the file, for problems; 1 where it is not there. */
  lineOf(key: string): number;
}

/** Splits a file at its frontmatter. Line ends are `\n`. */
export function splitFrontmatter(text: string): { yaml: string; body: string } | NoteProblem {
  const opening = /^---[ \t]*\n/.exec(text)?.[0];
  if (opening === undefined) return { line: 1, message: "the file does not begin with `---`, the line before the frontmatter" };
  const rest = text.slice(opening.length);
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\n|$)/m.exec(rest);
  if (closing === null) return { line: 1, message: "the frontmatter has no closing `---`" };
  return { yaml: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length) };
}

export async function readFrontmatter({ yaml }: { yaml: string }): Promise<Frontmatter | NoteProblem> {
  const values = readOwnLines(yaml) ?? (await readYaml(yaml));
  if (!(values instanceof Map)) return values;
  return { values, lineOf: (key) => lineOfKey(yaml, key) };
}

/** Full YAML, for notes written by hand; loaded when first needed (40 ms). */
async function readYaml(yaml: string): Promise<Map<string, unknown> | NoteProblem> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, intAsBigInt: true, prettyErrors: false, stringKeys: true });
  const error = document.errors[0] ?? document.warnings[0];
  if (error !== undefined)
    return { line: lines.linePos(error.pos[0]).line + 1, message: `the frontmatter is not valid YAML: ${error.message}` };
  try {
    const value: unknown = document.toJS({ maxAliasCount: 50 });
    if (value === null) return new Map();
    if (typeof value !== "object" || Array.isArray(value)) return { line: 2, message: "the frontmatter is not a list of `key: value`" };
    return new Map(Object.entries(value).map(([key, item]) => [key, shrinkIntegers(item)]));
  } catch (error) {
    return { line: 2, message: `the frontmatter cannot be read: ${messageOf(error)}` };
  }
}

/** Integers are read as bigint, so that none loses digits, and become numbers where that is exact. */
function shrinkIntegers(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(shrinkIntegers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shrinkIntegers(item)]));
}

function lineOfKey(yaml: string, key: string): number {
  const index = yaml.split("\n").findIndex((line) => line.startsWith(`${key}:`) || line.startsWith(`"${key}":`));
  return index === -1 ? 1 : index + 2;
}
