import { PostingList } from "./postings-codec.ts";

/** Postings in the order in which they came, until they are written by token. */
export interface PostingBatch {
  /** Gives how many there are now. */
  add: (token: number, note: number, count: number) => number;
  /** Hands over all of them: each token once, in the order of their numbers, with its notes in the order in which they came. */
  take: (visit: (token: number, list: PostingList) => void) => void;
}

const WIDTH = 3;

/** Columns of numbers that stay: millions of postings as objects would take many times the room. */
export function makePostingBatch(): PostingBatch {
  let rows = new Uint32Array(2 ** 14);
  let length = 0;
  return {
    add(token, note, count) {
      if (length + WIDTH > rows.length) rows = enlarge(rows);
      rows[length++] = token;
      rows[length++] = note;
      rows[length++] = count;
      return length / WIDTH;
    },
    take(visit) {
      const taken = rows.subarray(0, length);
      const { starts, order } = sortByToken(taken);
      const list = new PostingList();
      for (let token = 0; token + 1 < starts.length; token++) {
        const [from = 0, to = 0] = [starts[token], starts[token + 1]];
        if (from === to) continue;
        list.length = 0;
        for (let place = from; place < to; place++) {
          const at = order[place] ?? 0;
          list.add(taken[at + 1] ?? 0, taken[at + 2] ?? 0);
        }
        visit(token, list);
      }
      length = 0;
    },
  };
}

/** A counting sort: where in `order` the rows of each token begin, and the places of the rows. */
function sortByToken(rows: Uint32Array): { starts: Uint32Array; order: Uint32Array } {
  let last = -1;
  for (let at = 0; at < rows.length; at += WIDTH) last = Math.max(last, rows[at] ?? 0);
  const starts = new Uint32Array(last + 2);
  for (let at = 0; at < rows.length; at += WIDTH) add(starts, (rows[at] ?? 0) + 1, 1);
  for (let token = 0; token <= last; token++) add(starts, token + 1, starts[token] ?? 0);
  const next = starts.slice();
  const order = new Uint32Array(rows.length / WIDTH);
  for (let at = 0; at < rows.length; at += WIDTH) {
    const token = rows[at] ?? 0;
    order[next[token] ?? 0] = at;
    add(next, token, 1);
  }
  return { starts, order };
}

function add(counts: Uint32Array, at: number, more: number): void {
  counts[at] = (counts[at] ?? 0) + more;
}

function enlarge(rows: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(rows.length * 2);
  larger.set(rows);
  return larger;
}
