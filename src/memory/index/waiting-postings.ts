import { PostingList } from "./postings-codec.ts";

/** Postings in the order in which they came, until they are written by token. */
export interface WaitingPostings {
  /** Gives how many there are now. */
  add(slot: number, note: number, count: number): number;
  /** Hands over all of them: each token once, in the order of their numbers, with its notes in the order in which they came. */
  take(numberAt: (slot: number) => number, visit: (token: number, list: PostingList) => void): void;
}

const WIDTH = 3;

/** Columns of numbers that stay: millions of postings as objects would take many times the room. */
export function makeWaitingPostings(): WaitingPostings {
  let rows = new Uint32Array(2 ** 12);
  let length = 0;
  return {
    add(slot, note, count) {
      if (length + WIDTH > rows.length) rows = enlarge(rows);
      rows[length++] = slot;
      rows[length++] = note;
      rows[length++] = count;
      return length / WIDTH;
    },
    take(numberAt, visit) {
      const taken = rows.subarray(0, length);
      const { slots, starts, order } = sortBySlot(taken);
      const list = new PostingList();
      const tokens = Array.from(slots, (slot) => ({ slot, token: numberAt(slot) })).sort((a, b) => a.token - b.token);
      for (const { slot, token } of tokens) {
        list.length = 0;
        for (let place = starts[slot] ?? 0; place < (starts[slot + 1] ?? 0); place++) {
          const at = order[place] ?? 0;
          list.add(taken[at + 1] ?? 0, taken[at + 2] ?? 0);
        }
        visit(token, list);
      }
      length = 0;
    },
  };
}

/** A counting sort: which slots there are, where in `order` each one's rows begin, and the places of the rows. */
function sortBySlot(rows: Uint32Array): { slots: number[]; starts: Uint32Array; order: Uint32Array } {
  let most = -1;
  for (let at = 0; at < rows.length; at += WIDTH) most = Math.max(most, rows[at] ?? 0);
  const starts = new Uint32Array(most + 2);
  for (let at = 0; at < rows.length; at += WIDTH) count(starts, (rows[at] ?? 0) + 1);
  const slots: number[] = [];
  for (let slot = 0; slot <= most; slot++) {
    if ((starts[slot + 1] ?? 0) > 0) slots.push(slot);
    starts[slot + 1] = (starts[slot + 1] ?? 0) + (starts[slot] ?? 0);
  }
  const next = starts.slice();
  const order = new Uint32Array(rows.length / WIDTH);
  for (let at = 0; at < rows.length; at += WIDTH) {
    const slot = rows[at] ?? 0;
    const place = next[slot] ?? 0;
    order[place] = at;
    next[slot] = place + 1;
  }
  return { slots, starts, order };
}

function enlarge(rows: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(rows.length * 2);
  larger.set(rows);
  return larger;
}

function count(counts: Uint32Array, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}
