/**
 * The tokens of a note as the index keeps them: of each different token its number and how often it stands in title,
 * body and extra, in reading order, as LEB128 integers (7 bits a byte, lowest first). Pure.
 */

const HAS_TITLE = 1;
const HAS_EXTRA = 2;
/** The body's count comes above the two flags. */
const BODY_UNIT = 4;

/** Writes a token at a place of `bytes`, which must have room, and gives the place after it. */
export function packToken(bytes: Uint8Array, at: number, token: number, title: number, body: number, extra: number): number {
  let end = putInteger(bytes, at, token);
  end = putInteger(bytes, end, body * BODY_UNIT + (title > 0 ? HAS_TITLE : 0) + (extra > 0 ? HAS_EXTRA : 0));
  if (title > 0) end = putInteger(bytes, end, title);
  return extra > 0 ? putInteger(bytes, end, extra) : end;
}

/** Places of a token in what `unpackTokens` gives: its number, and how often it stands in each field. */
export const WIDTH = 4;
export const [NUMBER, TITLE, BODY, EXTRA] = [0, 1, 2, 3] as const;

/** How many numbers the tokens may be at most: a token takes two bytes or more. */
export function roomFor(packed: Uint8Array): number {
  return (packed.length / 2) * WIDTH;
}

/**
 * The tokens in a row, four numbers each, without making objects: a search reads tens of thousands of them.
 *
 * @param tokens takes them: zeros, at least `roomFor` of the bytes
 */
export function unpackTokens(packed: Uint8Array, tokens = new Uint32Array(roomFor(packed))): Uint32Array {
  let length = 0;
  let at = 0;
  const next = () => {
    let byte = packed[at++] ?? 0;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let scale = 128; byte >= 128; scale *= 128) {
      byte = packed[at++] ?? 0;
      value += (byte & 127) * scale;
    }
    return value;
  };
  while (at < packed.length) {
    tokens[length + NUMBER] = next();
    const counts = next();
    if ((counts & HAS_TITLE) !== 0) tokens[length + TITLE] = next();
    tokens[length + BODY] = Math.floor(counts / BODY_UNIT);
    if ((counts & HAS_EXTRA) !== 0) tokens[length + EXTRA] = next();
    length += WIDTH;
  }
  return tokens.subarray(0, length);
}

function putInteger(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let end = at;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes[end++] = (rest % 128) + 128;
  bytes[end++] = rest;
  return end;
}
