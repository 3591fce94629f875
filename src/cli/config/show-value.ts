import type { ConfigKey } from "./keys.ts";

/** A value as it may be shown: a secret only as being there. */
export function shownValue(key: ConfigKey, value: unknown): unknown {
  return key.isSecret && value !== undefined ? "(set)" : value;
}

/** For a table. */
export function inWords(value: unknown): string {
  if (value === undefined) return "-";
  if (value === null) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
