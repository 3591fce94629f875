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
const BODY = 4;

/** `counts` by the number of the token. */
export function packTokens(counts: ReadonlyMap<number, TokenCount>): Uint8Array {
  const bytes: number[] = [];
  for (const [token, { title, body, extra }] of counts) {
    pushInteger(bytes, token);
    pushInteger(bytes, body * BODY + (title > 0 ? HAS_TITLE : 0) + (extra > 0 ? HAS_EXTRA : 0));
    if (title > 0) pushInteger(bytes, title);
    if (extra > 0) pushInteger(bytes, extra);
  }
  return Uint8Array.from(bytes);
}

/** Calls `visit` for each token, without making objects: a search reads tens of thousands of them. */
export function visitTokens(packed: Uint8Array, visit: (token: number, title: number, body: number, extra: number) => void): void {
  let at = 0;
  const next = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = packed[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < packed.length) {
    const token = next();
    const counts = next();
    const title = (counts & HAS_TITLE) === 0 ? 0 : next();
    const extra = (counts & HAS_EXTRA) === 0 ? 0 : next();
    visit(token, title, Math.floor(counts / BODY), extra);
  }
}

function pushInteger(bytes: number[], value: number): void {
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}
