/** Of scripts that write words without spaces FTS5 would take a whole sentence for one word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** Makes every character of such a script a word, so that a part of a sentence is found as a phrase. */
export function spaceOut(text: string): string {
  return text.replace(UNSPACED, " $& ");
}
