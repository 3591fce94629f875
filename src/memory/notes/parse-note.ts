import { z } from "zod";
import { Relation } from "../../domain/finding.ts";
import { readFrontmatter, type Frontmatter } from "./frontmatter.ts";
import type { Note, NoteProblem } from "./note.ts";
import { splitSections } from "./sections.ts";
import { KNOWN_KEYS } from "./serialise-note.ts";

/** A note, or why the text is none. Unknown keys and sections are kept. `fallbackType` is for notes without a type. */
export async function parseNote(text: string, fallbackType: string): Promise<Note | NoteProblem> {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const conflict = findConflict(plain);
  if (conflict !== undefined) return conflict;
  const front = await readFrontmatter(plain);
  if ("message" in front) return front;
  const known = readKnownKeys(front);
  if ("message" in known) return known;
  return { ...known, type: known.type || fallbackType, extra: unknownKeys(front), ...readBody(front.body) };
}

export function isProblem(parsed: Note | NoteProblem): parsed is NoteProblem {
  return "message" in parsed;
}

function findConflict(text: string): NoteProblem | undefined {
  const start = /^<{7}(?: .*)?$/m.exec(text);
  if (start === null || !/^>{7}(?: .*)?$/m.test(text.slice(start.index))) return undefined;
  const line = text.slice(0, start.index).split("\n").length;
  return { line, message: "the file holds an unresolved merge conflict; keep one side and remove the markers" };
}

const Text = z.union([z.string(), z.number(), z.bigint()], { error: "expected text" }).transform(String);
const Texts = z.array(Text, { error: "expected a list, one item a line" }).nullish().transform(emptyList);
const Range = z.object(
  { source: Text, text_sha256: Text.default(""), extractor: Text.default(""), start: z.int(), end: z.int() },
  { error: "expected items with source, start and end" },
);
const Ranges = z.array(Range, { error: "expected a list, one item a line" }).nullish().transform(emptyList);

const KnownKeys = z.object({
  id: Text.pipe(z.string().trim().min(1, "the id is empty")),
  type: Text.nullish().transform(emptyText),
  status: Text.nullish().transform(emptyText),
  created_by: Text.nullish().transform(emptyText),
  run_id: Text.nullish().transform(emptyText),
  created: Text.nullish().transform(emptyText),
  language: Text.nullish().transform(emptyText),
  superseded_by: Text.nullish().transform(emptyText),
  negative_result: z
    .boolean("expected true or false")
    .nullish()
    .transform((value) => value ?? false),
  sources: Texts,
  evidence: Ranges,
  counterevidence: Ranges,
  experiments: Texts,
  related: z.array(Relation, { error: "expected a list, one item a line" }).nullish().transform(emptyList),
});

function emptyText(value: string | null | undefined): string {
  return value ?? "";
}

function emptyList<Item>(value: Item[] | null | undefined): Item[] {
  return value ?? [];
}

function readKnownKeys(front: Frontmatter): z.output<typeof KnownKeys> | NoteProblem {
  if (!front.values.has("id") || front.values.get("id") === null) return { line: 1, message: "the frontmatter has no `id`" };
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
