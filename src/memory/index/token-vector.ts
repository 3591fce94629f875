/**
 * The tokens of a note as the index keeps them: of each different token its number and how often it stands in title,
 * body and extra, in reading order, as LEB128 integers (7 bits a byte, lowest first). Pure.
 */

export interface TokenCount {
  title: number;
  body: number;
  extra: number;
}

const HAS_TITLE = 1;
const HAS_EXTRA = 2;
/** The body's count comes above the two flags. */
const BODY_UNIT = 4;

/** `counts` by the number of the token. */
export function packTokens(counts: ReadonlyMap<number, TokenCount>): Uint8Array {
  const bytes: number[] = [];
  for (const [token, { title, body, extra }] of counts) {
    pushInteger(bytes, token);
    pushInteger(bytes, body * BODY_UNIT + (title > 0 ? HAS_TITLE : 0) + (extra > 0 ? HAS_EXTRA : 0));
    if (title > 0) pushInteger(bytes, title);
    if (extra > 0) pushInteger(bytes, extra);
  }
  return Uint8Array.from(bytes);
}

/** Places of a token in what `unpackTokens` gives: its number, and how often it stands in each field. */
export const WIDTH = 4;
export const [NUMBER, TITLE, BODY, EXTRA] = [0, 1, 2, 3] as const;

/** The tokens in a row, four numbers each, without making objects: a search reads tens of thousands of them. */
export function unpackTokens(packed: Uint8Array): Uint32Array {
  const tokens = new Uint32Array(packed.length * 2);
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

function pushInteger(bytes: number[], value: number): void {
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}
