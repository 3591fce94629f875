/** Frontmatter as hypo writes it: one item a line, so that git merges notes line by line. */

/** A value on one line, which any YAML 1.2 reader reads back unchanged. */
function writeValue(value: unknown): string {
  if (typeof value === "string") return writeText(value);
  if (typeof value === "number") return writeNumber(value);
  if (Array.isArray(value)) return `[${value.map(writeValue).join(", ")}]`;
  if (typeof value === "object" && value !== null) return writeMap(value);
  return typeof value === "boolean" || typeof value === "bigint" ? String(value) : "null";
}

/** `key: value`, or a list below the key with one item a line. */
export function writeEntry(key: string, value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return `${writeText(key)}: ${writeValue(value)}\n`;
  return `${writeText(key)}:\n${value.map((item) => `  - ${writeValue(item)}\n`).join("")}`;
}

const PLAIN = /^[A-Za-z][A-Za-z0-9_./@+-]*$/;
const RESERVED = /^(true|false|null|yes|no|on|off|y|n)$/i;

/** True for text that YAML reads as itself without quotes. */
export function isPlainText(text: string): boolean {
  return PLAIN.test(text) && !RESERVED.test(text);
}

function writeText(text: string): string {
  if (isPlainText(text)) return text;
  return JSON.stringify(text.toWellFormed()).replace(
    /[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd]/gu,
    escapeUnit,
  );
}

/** Characters beyond the Basic Multilingual Plane are printable in YAML; the rest of what JSON leaves bare is not. */
function escapeUnit(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? character : `\\u${code.toString(16).padStart(4, "0")}`;
}

function writeNumber(value: number): string {
  if (Number.isNaN(value)) return ".nan";
  if (!Number.isFinite(value)) return value > 0 ? ".inf" : "-.inf";
  return Object.is(value, -0) ? "-0.0" : String(value);
}

function writeMap(value: object): string {
  const entries = Object.entries(value).map(([key, item]) => `${writeText(key)}: ${writeValue(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
