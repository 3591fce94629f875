/** Rows of posting lists are kept in the order of their keys: by token, then by their first note. */

/** Numbers of notes are below this; with those of tokens they fit a double, which is exact up to 2^53. */
export const MOST_NOTES = 2 ** 26;

/** A piece of the posting list of one token. */
export interface PostingRow {
  key: number;
  /** The last note in it. */
  last: number;
  entries: Buffer;
}

export function keyOf(token: number, note: number): number {
  return token * MOST_NOTES + note;
}

export function noteOf(key: number): number {
  return key % MOST_NOTES;
}
