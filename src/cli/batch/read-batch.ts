import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { HypoError, messageOf } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import type { MaterialPlace } from "../material/check-material.ts";
import { nearest } from "../nearest.ts";
import { tidyQuestion } from "../question/read-question.ts";
import { BATCH_KEYS, BatchLine, NUMERIC_KEYS, type BatchItem } from "./batch-line.ts";
import { findBadContext } from "./check-context.ts";
import { readCsv, type Problem } from "./csv.ts";

/** A line as its format gives it. */
interface RawLine {
  line: number;
  fields: unknown;
}

interface RawLines {
  lines: RawLine[];
  problems: Problem[];
}

const FORMATS: Readonly<Record<string, (text: string) => RawLines>> = {
  ".jsonl": readJsonLines,
  ".csv": readTable,
  ".txt": readPlainLines,
};
const MOST_SHOWN = 20;

/** What material of the questions is checked against. */
export interface MaterialCheck extends MaterialPlace {
  /** Whether the question's run has its material already. */
  hasBegun: (item: BatchItem) => boolean;
}

/**
 * The questions of a batch file, in its order.
 *
 * @throws HypoError `batch_invalid` with everything that is wrong, each with its line, before anything is spent.
 */
export async function readBatch(path: string, check: MaterialCheck): Promise<BatchItem[]> {
  const format = FORMATS[extname(path).toLowerCase()];
  if (!format) {
    throw new HypoError("batch_invalid", `${path} is none of ${Object.keys(FORMATS).join(", ")}.`, {
      hint: "Give JSON Lines, CSV with a header, or text with a question a line.",
    });
  }
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new HypoError("batch_invalid", `${path} cannot be read: ${messageOf(error)}.`, {
      hint: "Name a file of questions: .jsonl, .csv, or .txt with one a line.",
      cause: error,
    });
  });
  const { items, problems } = parseBatch(bytes, format);
  problems.push(
    ...(await findBadContext(
      items.filter((item) => !check.hasBegun(item)),
      check,
    )),
  );
  if (problems.length > 0)
    throw invalid(
      basename(path),
      problems.toSorted((a, b) => a.line - b.line),
    );
  if (items.length > 0) return items;
  throw new HypoError("batch_invalid", `${path} holds no question.`, { hint: "Give at least one." });
}

function parseBatch(bytes: Uint8Array, format: (text: string) => RawLines): { items: BatchItem[]; problems: Problem[] } {
  const wrong = findBadEncoding(bytes);
  if (wrong.length > 0) return { items: [], problems: wrong };
  const { lines, problems } = format(new TextDecoder().decode(bytes));
  const items: BatchItem[] = [];
  for (const raw of lines) {
    const checked = checkLine(raw);
    if ("item" in checked) items.push(checked.item);
    else problems.push(...checked.problems);
  }
  problems.push(...findDuplicates(items));
  return { items, problems };
}

function findBadEncoding(bytes: Uint8Array): Problem[] {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return [{ line: 1, message: "the file is UTF-16, not UTF-8" }];
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const problems: Problem[] = [];
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    const stop = end === -1 ? bytes.length : end;
    try {
      decoder.decode(bytes.subarray(start, stop));
    } catch {
      problems.push({ line, message: "this is not UTF-8 text" });
    }
    start = stop + 1;
  }
  return problems;
}

/** A line that begins with `#` is a comment, as in the text files of other programs. */
function readPlainLines(text: string): RawLines {
  const asked = filledLines(text).filter(({ content }) => !content.trimStart().startsWith("#"));
  return { lines: asked.map(({ line, content }) => ({ line, fields: { question: content } })), problems: [] };
}

function readJsonLines(text: string): RawLines {
  const lines: RawLine[] = [];
  const problems: Problem[] = [];
  for (const { line, content } of filledLines(text)) {
    try {
      lines.push({ line, fields: JSON.parse(content) as unknown });
    } catch (error) {
      problems.push({ line, message: `this is not JSON: ${messageOf(error)}` });
    }
  }
  return { lines, problems };
}

function filledLines(text: string): { line: number; content: string }[] {
  return text
    .split(/\r?\n/)
    .map((content, index) => ({ line: index + 1, content }))
    .filter(({ content }) => content.trim() !== "");
}

/** The first row names the keys; an empty cell sets nothing. */
function readTable(text: string): RawLines {
  const { rows, problems } = readCsv(text);
  const [header, ...body] = rows;
  if (!header) return { lines: [], problems };
  const keys = header.cells.map((cell) => cell.trim());
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
  for (const key of twice) problems.push({ line: header.line, message: `the column ${JSON.stringify(key)} stands twice` });
  const unknown = keys.filter((key) => !isKey(key));
  for (const key of unknown) problems.push({ line: header.line, message: describeUnknown(key, "column") });
  if (!keys.includes("question"))
    problems.push({ line: header.line, message: "there is no column question; the first row names the columns" });
  if (problems.length > 0) return { lines: [], problems };
  const lines: RawLine[] = [];
  for (const { line, cells } of body) {
    if (cells.length === keys.length) lines.push({ line, fields: fieldsOf(keys, cells) });
    else problems.push({ line, message: `there are ${cells.length} fields, and the header has ${keys.length}` });
  }
  return { lines, problems };
}

function fieldsOf(keys: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const filled = keys.map((key, index) => [key, cells[index] ?? ""] as const).filter(([, cell]) => cell.trim() !== "");
  return Object.fromEntries(filled.map(([key, cell]) => [key, NUMERIC_KEYS.has(key) && !Number.isNaN(Number(cell)) ? Number(cell) : cell]));
}

type Checked = { item: BatchItem } | { problems: Problem[] };

function checkLine({ line, fields }: RawLine): Checked {
  const result = BatchLine.safeParse(fields);
  if (!result.success)
    return { problems: result.error.issues.flatMap((issue) => describeIssue(issue)).map((message) => ({ line, message })) };
  const { id, question, ...sets } = result.data;
  try {
    const tidy = tidyQuestion(question);
    return { item: { id: id ?? `q-${sha256(tidy).slice(0, 10)}`, line, question: tidy, sets } };
  } catch (error) {
    return {
      problems: [{ line, message: error instanceof HypoError && question.trim() !== "" ? error.message : "the question is empty" }],
    };
  }
}

function describeIssue(issue: { code?: string | undefined; path: PropertyKey[]; message: string; keys?: string[] }): string[] {
  if (issue.code === "unrecognized_keys") return (issue.keys ?? []).map((key) => describeUnknown(key, "key"));
  if (issue.path.length === 0) return ["this is not an object with a question"];
  const key = issue.path.map(String).join(".");
  return [`${key}: ${issue.message}`];
}

function describeUnknown(key: string, what: string): string {
  const close = nearest(key, BATCH_KEYS);
  const instead = close === undefined ? `known are ${BATCH_KEYS.join(", ")}` : `did you mean ${close}?`;
  return `there is no ${what} ${JSON.stringify(key)}; ${instead}`;
}

function isKey(key: string): boolean {
  return (BATCH_KEYS as readonly string[]).includes(key);
}

function findDuplicates(items: readonly BatchItem[]): Problem[] {
  const first = new Map<string, number>();
  return items.flatMap(({ id, line }) => {
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, line);
      return [];
    }
    return [{ line, message: `the id ${JSON.stringify(id)} was given on line ${before} already` }];
  });
}

function invalid(name: string, problems: readonly Problem[]): HypoError {
  const shown = problems.slice(0, MOST_SHOWN).map(({ line, message }) => `  ${name}, line ${line}: ${message}`);
  const more = problems.length > MOST_SHOWN ? [`  and ${problems.length - MOST_SHOWN} more`] : [];
  return new HypoError("batch_invalid", ["The batch file cannot be run:", ...shown, ...more].join("\n"), {
    hint: "Mend these lines; nothing was started.",
  });
}
