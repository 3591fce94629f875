import { readFrontmatter, splitFrontmatter, type Frontmatter } from "./frontmatter.ts";
import type { KnownValues } from "./known-keys.ts";
import type { Note, NoteProblem } from "./note.ts";
import { splitSections } from "./sections.ts";
import { KNOWN_KEYS } from "./serialise-note.ts";

/** A note, or why the text is none. Unknown keys and sections are kept. `fallbackType` is for notes without a type. */
export async function parseNote(text: string, fallbackType: string): Promise<Note | NoteProblem> {
  const split = splitNote(text);
  if ("message" in split) return split;
  const front = await readFrontmatter(split);
  if ("message" in front) return front;
  const known = await readKnownKeys(front);
  if ("message" in known) return known;
  return { ...known, type: known.type || fallbackType, extra: unknownKeys(front), ...readBody(split.body) };
}

/** Title and sections alone, of a text that is known to be a note. */
export function parseBody(text: string): Pick<Note, "title" | "preamble" | "sections"> | NoteProblem {
  const split = splitNote(text);
  return "message" in split ? split : readBody(split.body);
}

export function isProblem(parsed: object): parsed is NoteProblem {
  return "message" in parsed;
}

function splitNote(text: string): { yaml: string; body: string } | NoteProblem {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  return findConflict(plain) ?? splitFrontmatter(plain);
}

function findConflict(text: string): NoteProblem | undefined {
  const start = /^<{7}(?: .*)?$/m.exec(text);
  if (start === null || !/^>{7}(?: .*)?$/m.test(text.slice(start.index))) return undefined;
  const line = text.slice(0, start.index).split("\n").length;
  return { line, message: "the file holds an unresolved merge conflict; keep one side and remove the markers" };
}

async function readKnownKeys(front: Frontmatter): Promise<KnownValues | NoteProblem> {
  if (!front.values.has("id") || front.values.get("id") === null) return { line: 1, message: "the frontmatter has no `id`" };
  // A search that finds no changed note reads no keys, and the schema takes longer to load than the search.
  const { KnownKeys } = await import("./known-keys.ts");
  const parsed = KnownKeys.safeParse(Object.fromEntries(front.values));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.map(String) ?? [];
  return { line: front.lineOf(where[0] ?? ""), message: `\`${where.join(".")}\`: ${issue?.message ?? "cannot be read"}` };
}

function unknownKeys(front: Frontmatter): Record<string, unknown> {
  const known = new Set<string>(KNOWN_KEYS);
  return Object.fromEntries([...front.values].filter(([key]) => !known.has(key)));
}

function readBody(body: string): Pick<Note, "title" | "preamble" | "sections"> {
  const { title, preamble, sections } = splitSections(body);
  return { title: title || firstLineOf([preamble, ...sections.map((section) => section.body)]), preamble, sections };
}

/** A note without a `# title` goes by its first line of text. */
function firstLineOf(bodies: string[]): string {
  const line = bodies.flatMap((body) => body.split("\n")).find((line) => /[\p{L}\p{N}]/u.test(line)) ?? "Untitled";
  return line
    .replace(/^[\s#>*-]+/, "")
    .replace(/\s+$/, "")
    .slice(0, 120)
    .toWellFormed();
}
