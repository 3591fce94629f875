/**
 * Posting lists: for one token, the notes that hold it in rising order, each with how often. Chunks of bytes keep them: of
 * each note the step from the one before, with small counts in its lowest bits, as LEB128 integers (7 bits a byte, lowest
 * first). Pure.
 */

const FEW = 16;

/** Notes and counts side by side, without an object for each of a million; grows as needed. */
export class PostingList {
  notes = new Uint32Array(FEW);
  counts = new Uint32Array(FEW);
  length = 0;

  add(note: number, count: number): void {
    if (this.length === this.notes.length) this.#grow();
    this.notes[this.length] = note;
    this.counts[this.length++] = count;
  }

  #grow(): void {
    const [notes, counts] = [this.notes, this.counts];
    this.notes = new Uint32Array(notes.length * 4);
    this.counts = new Uint32Array(counts.length * 4);
    this.notes.set(notes);
    this.counts.set(counts);
  }
}

/** Counts of one less than this fit beside the step; a larger one follows in an integer of its own. */
const LARGE = 4;
/** Bytes that a posting takes at most. */
export const WIDEST_POSTING = 10;

/** Writes a posting at a place of `bytes`, which must have room, and gives the place after it. `step` is below 2^28. */
export function packPosting(bytes: Uint8Array, at: number, step: number, count: number): number {
  const end = putInteger(bytes, at, step * LARGE + Math.min(count, LARGE) - 1);
  return count < LARGE ? end : putInteger(bytes, end, count - LARGE);
}

/** Adds the postings of a chunk to a list; `first` is the chunk's first note. */
export function unpackPostings(bytes: Uint8Array, first: number, list: PostingList): void {
  let note = first;
  let at = 0;
  const { length } = bytes;
  while (at < length) {
    let byte = bytes[at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    note += value >>> 2;
    let count = (value & 3) + 1;
    if (count === LARGE) {
      for (let scale = 1; ; scale *= 128) {
        byte = bytes[at++] ?? 0;
        count += (byte & 127) * scale;
        if (byte < 128) break;
      }
    }
    list.add(note, count);
  }
}

/** Writes an integer of up to 53 bits, and gives the place after it. */
export function putInteger(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let end = at;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes[end++] = (rest % 128) + 128;
  bytes[end++] = rest;
  return end;
}
