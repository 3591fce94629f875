/** The tokens of a note as the index keeps them: their numbers in reading order, as LEB128 integers. Pure. */
import { damagedRow } from "../../files/sqlite-errors.ts";
import { putInteger } from "./postings-codec.ts";

/** Bytes that a token takes at most. */
const WIDEST = 5;

export function packTokens(numbers: readonly number[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(numbers.length * WIDEST);
  let end = 0;
  for (const number of numbers) end = putInteger(bytes, end, number);
  return bytes.subarray(0, end);
}

/**
 * The numbers of the tokens, in one array without objects: a search reads tens of thousands of them.
 *
 * @param known how many tokens the index knows: their numbers are below
 */
export function unpackTokens(packed: Uint8Array, known: number): Uint32Array {
  const tokens = new Uint32Array(packed.length);
  let length = 0;
  let at = 0;
  while (at < packed.length) {
    let byte = packed[at++] ?? 0;
    let value = byte & 127;
    for (let scale = 128; byte > 127; scale *= 128) {
      byte = packed[at++] ?? 0;
      value += (byte & 127) * scale;
    }
    // Not `>=`: bytes that never end an integer come to no number at all.
    if (!(value < known)) throw damagedRow("a note: a token");
    tokens[length++] = value;
  }
  return tokens.subarray(0, length);
}
