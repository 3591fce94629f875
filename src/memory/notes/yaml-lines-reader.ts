/**
 * The fast way to read frontmatter in exactly the form that `yaml-lines.ts` writes, without a YAML parser. Anything
 * else is left to the parser: what is read here must mean the same there.
 */
import { isPlainText } from "./yaml-lines.ts";

const ENTRY = /^([A-Za-z][A-Za-z0-9_]*):(?: (.*))?$/;
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const MEMBER = /\s*([A-Za-z][A-Za-z0-9_]*): ("(?:[^"\\]|\\.)*"|[^\s",{}[\]]+)(,| \}$)/y;

export function readOwnLines(yaml: string): Map<string, unknown> | undefined {
  const values = new Map<string, unknown>();
  let list: unknown[] | undefined;
  for (const line of yaml.split("\n").slice(0, -1)) {
    if (line.startsWith("  - ") && list !== undefined) {
      const item = readItem(line.slice(4));
      if (item === undefined) return undefined;
      list.push(item);
      continue;
    }
    const [, key, text] = ENTRY.exec(line) ?? [];
    if (key === undefined || !isPlainText(key) || values.has(key) || list?.length === 0) return undefined;
    list = text === undefined ? [] : undefined;
    const value = text === undefined ? list : text === "[]" ? [] : readScalar(text);
    if (value === undefined) return undefined;
    values.set(key, value);
  }
  return list?.length === 0 ? undefined : values;
}

function readItem(text: string): unknown {
  return text.startsWith("{ ") ? readMap(text) : readScalar(text);
}

function readMap(text: string): Record<string, unknown> | undefined {
  const entries: [string, unknown][] = [];
  MEMBER.lastIndex = 1;
  while (MEMBER.lastIndex < text.length) {
    const [, key, raw] = MEMBER.exec(text) ?? [];
    const value = raw === undefined ? undefined : readScalar(raw);
    if (key === undefined || !isPlainText(key) || value === undefined || entries.some(([known]) => known === key)) return undefined;
    entries.push([key, value]);
  }
  return Object.fromEntries(entries);
}

function readScalar(text: string): string | number | boolean | undefined {
  if (text === "true" || text === "false") return text === "true";
  if (INTEGER.test(text)) return Number(text);
  if (isPlainText(text)) return text;
  return text.startsWith('"') ? readQuoted(text) : undefined;
}

function readQuoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
