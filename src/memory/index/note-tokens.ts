/** The tokens of a note as the index keeps them: their numbers in reading order, as LEB128 integers. Pure. */
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
 * The numbers of the tokens, without making an array for each note: a search reads tens of thousands of them.
 *
 * @param tokens takes them: as many as there are bytes are room enough
 */
export function unpackTokens(packed: Uint8Array, tokens = new Uint32Array(packed.length)): Uint32Array {
  let length = 0;
  let at = 0;
  while (at < packed.length) {
    let byte = packed[at++] ?? 0;
    let value = byte & 127;
    for (let scale = 128; byte > 127; scale *= 128) {
      byte = packed[at++] ?? 0;
      value += (byte & 127) * scale;
    }
    tokens[length++] = value;
  }
  return tokens.subarray(0, length);
}
