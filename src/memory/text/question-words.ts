/** What a question asks with in scripts that write words without spaces, where no list of stop words reaches it. */

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const CHINESE =
  /^(?:[为為]?[什甚][么麼]|怎|哪[^吒]|[谁誰]|多少|多久|如何|[为為]何|何[时時地处處种種]|[请請][问問]|(?:[几幾][个個]?|[吗嗎呢])$)/u;
const JAPANESE =
  /^(?:何[人年月日時分回個本歳]?|なに|なん|誰|だれ|どなた|いつ|どこ|なぜ|どうして|どう|どの|どれ|どんな|どちら|どっち|いくつ|いくら)$/u;
const THAI = new Set("อะไร ใคร ที่ไหน ไหน ทำไม อย่างไร ยังไง เมื่อไร เมื่อไหร่ เท่าไร เท่าไหร่ กี่ ไหม".normalize("NFKC").split(" "));
/** Korean has spaces, but a word carries its particles: `어디` is in `어디인가요`. */
const KOREAN = /^(?:무엇|무슨|누구|언제|어디|어느|어떤|어떻게|어째서|얼마|몇|(?:누가|왜)$)/u;

/**
 * A query without its question words in Chinese, Japanese, Korean and Thai; as it was where it has no others. They are
 * found as words of a sentence: `几` is one in `几年`, and not in `几何`.
 */
export function dropQuestionWords(query: string): string {
  if (!UNSPACED.test(query)) return query;
  const isQuestionWord = chooseWords(query);
  const pieces = Array.from(new Intl.Segmenter(undefined, { granularity: "word" }).segment(query), ({ segment }) => segment);
  const kept = pieces.map((piece) => (isQuestionWord(piece.normalize("NFKC")) ? " " : piece)).join("");
  return /[\p{L}\p{N}]/u.test(kept) ? kept : query;
}

/** Kana make a text Japanese: `何` is a question word there and a surname in Chinese. */
function chooseWords(query: string): (word: string) => boolean {
  const east = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(query) ? JAPANESE : CHINESE;
  return (word) => east.test(word) || KOREAN.test(word) || THAI.has(word);
}
