import { z } from "zod";
import { Relation } from "../../domain/finding.ts";

const Text = z.union([z.string(), z.number(), z.bigint()], { error: "expected text" }).transform(String);
const Texts = z.array(Text, { error: "expected a list, one item a line" }).nullish().transform(emptyList);
const Range = z.object(
  { source: Text, text_sha256: Text.default(""), extractor: Text.default(""), start: z.int(), end: z.int() },
  { error: "expected items with source, start and end" },
);
const Ranges = z.array(Range, { error: "expected a list, one item a line" }).nullish().transform(emptyList);

/** What the frontmatter of a note may hold under the keys that hypo knows. */
export const KnownKeys = z.object({
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

export type KnownValues = z.output<typeof KnownKeys>;

function emptyText(value: string | null | undefined): string {
  return value ?? "";
}

function emptyList<Item>(value: Item[] | null | undefined): Item[] {
  return value ?? [];
}
