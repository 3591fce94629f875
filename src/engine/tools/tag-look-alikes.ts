const NAME = "untrustedcontent";

/** Letters of other alphabets, and capitals in small, that look like the name's own (Unicode confusables, UTS 39). */
const LOOK_ALIKES: Record<string, string> = {
  u: "υսᴜʋꭎ",
  n: "ոռɴпᴎ",
  t: "тτᴛ",
  r: "гᴦʀꭇր",
  s: "ѕꜱʂ",
  e: "еҽᴇ℮ɛε",
  d: "ԁᴅɗⅾ",
  c: "сϲᴄⅽ",
  o: "оοᴏօσ0",
};
const PLAIN = new Map(Object.entries(LOOK_ALIKES).flatMap(([plain, alike]) => Array.from(alike, (letter) => [letter, plain] as const)));

/** Whether what stands behind a bracket reads like the name of the envelope's tag, opening or closing, to a person or a model. */
export function readsLikeTag(text: string): boolean {
  const letters = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  for (let index = 0; index < NAME.length; index += 1) {
    const letter = letters.charAt(index);
    if ((PLAIN.get(letter) ?? letter) !== NAME.charAt(index)) return false;
  }
  return true;
}
