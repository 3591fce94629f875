/**
 * A reader for one flat JSON object. `JSON.parse` would turn 1e999 into Infinity and keep the last of two equal keys
 * without a word; this reader names both. It never recurses, so depth cannot hurt it.
 */
export type FlatObject = { members: Map<string, number | boolean | string> } | { problem: string };

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NOT_A_NUMBER = /[+-]?(?:nan|inf(?:inity)?)\b/iy;
const WORD = /true|false|null/y;

/** The members of a flat object of numbers, booleans and strings, or the first problem. */
export function readFlatObject(text: string): FlatObject {
  const cursor = new Cursor(text);
  if (!cursor.takes("{")) return { problem: cursor.describe("an object that starts with {") };
  const members = new Map<string, number | boolean | string>();
  if (!cursor.takes("}")) {
    do {
      const problem = readMember(cursor, members);
      if (problem !== undefined) return { problem };
    } while (cursor.takes(","));
    if (!cursor.takes("}")) return { problem: cursor.describe("a comma or }") };
  }
  return cursor.atEnd() ? { members } : { problem: cursor.describe("the end of the file") };
}

function readMember(cursor: Cursor, members: Map<string, number | boolean | string>): string | undefined {
  const key = cursor.match(STRING);
  if (key === undefined) return cursor.describe("a name in double quotes");
  const name = parseString(key);
  if (name === undefined) return `the name ${shorten(key)} is not a valid JSON string`;
  if (members.has(name)) return `the key ${shorten(key)} occurs twice`;
  if (!cursor.takes(":")) return cursor.describe("a colon");
  const value = readValue(cursor, shorten(key));
  if ("problem" in value) return value.problem;
  members.set(name, value.value);
  return undefined;
}

function readValue(cursor: Cursor, key: string): { value: number | boolean | string } | { problem: string } {
  const notANumber = cursor.match(NOT_A_NUMBER);
  if (notANumber !== undefined) return { problem: `${key} is ${notANumber}; only finite numbers can be used` };
  const text = cursor.match(STRING);
  if (text !== undefined) return readText(text, key);
  const number = cursor.match(NUMBER);
  if (number !== undefined) {
    const value = Number(number);
    return Number.isFinite(value) ? { value } : { problem: `${key} is ${shorten(number)}, which is too large for a finite number` };
  }
  const word = cursor.match(WORD);
  if (word === "null") return { problem: `${key} is null; write the value or leave the experiment failed` };
  if (word !== undefined) return { value: word === "true" };
  if (cursor.takes("{") || cursor.takes("[")) return { problem: `${key} is nested; metrics.json must be flat` };
  return { problem: cursor.describe("a number, true, false or a string") };
}

function readText(literal: string, key: string): { value: string } | { problem: string } {
  const value = parseString(literal);
  return value === undefined ? { problem: `the value of ${key} is not a valid JSON string` } : { value };
}

/** The text of a string literal; undefined where it has raw control characters or bad escapes. */
function parseString(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}

class Cursor {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  takes(character: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  match(pattern: RegExp): string | undefined {
    this.skipSpace();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  atEnd(): boolean {
    this.skipSpace();
    return this.at === this.text.length;
  }

  describe(expected: string): string {
    const found = this.atEnd() ? "the file ends" : `there is ${JSON.stringify(this.text.slice(this.at, this.at + 20))}`;
    return `expected ${expected} at character ${this.at}, but ${found}`;
  }

  private skipSpace(): void {
    SPACE.lastIndex = this.at;
    SPACE.exec(this.text);
    this.at = SPACE.lastIndex;
  }
}
