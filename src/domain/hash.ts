import { hash } from "node:crypto";

/** Lower-case hexadecimal SHA-256 of bytes, or of a string's UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/**
 * Canonical JSON: object keys sorted by UTF-16 code unit, no white space, ECMAScript number form, members that are
 * `undefined` left out. The same value always gives the same text, whatever order it was built in (RFC 8785).
 *
 * @throws RangeError for NaN and infinities, which JSON cannot say.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError(`JSON cannot hold the number ${value}`);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item === undefined ? null : item)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** SHA-256 of the canonical JSON of a value: the identity of plans, code bundles and specs. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}
