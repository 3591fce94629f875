/** How often each word occurs, and how many words there are. */
export interface WordCounts {
  words: Map<string, number>;
  size: number;
}

/** Text of HTML as a serializer writes it: quoted attributes may hold a ">". */
export function stripTags(html: string): string {
  return html.replace(/<(?:[^>"]|"[^"]*")*>/g, " ");
}

/** Counts the words of HTML, upper and lower case alike. */
export function countWords(html: string): WordCounts {
  const text = stripTags(html)
    .replace(/&#?\w+;/g, " ")
    .toLowerCase();
  const words = new Map<string, number>();
  let size = 0;
  for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    words.set(word, (words.get(word) ?? 0) + 1);
    size += 1;
  }
  return { words, size };
}

/** Share of one text's words that another has too, 0 to 1. */
export function shareIn(one: WordCounts, other: WordCounts): number {
  let shared = 0;
  for (const [word, count] of one.words) shared += Math.min(count, other.words.get(word) ?? 0);
  return shared / Math.max(1, one.size);
}
