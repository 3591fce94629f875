import type { ConfigKey } from "./keys.ts";

/** A value as it may be shown: a secret only as being there. */
export function shownValue(key: ConfigKey, value: unknown): unknown {
  if (key.isSecret && value !== undefined) return "(set)";
  return typeof value === "string" ? withoutPassword(value) : value;
}

/** An address without the password in it. */
function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.password === "") return text;
  url.password = "***";
  return url.href;
}

/** For a table. */
export function inWords(value: unknown): string {
  if (value === undefined) return "-";
  if (value === null) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
