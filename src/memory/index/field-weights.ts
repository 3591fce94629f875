/** How much more a word in the title counts than one in the text. */
export const TITLE_WEIGHT = 2;

/** The length of a note in tokens, as scores take it. */
export function weighLength(title: number, body: number): number {
  return TITLE_WEIGHT * title + body;
}
