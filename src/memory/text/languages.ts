import { MORE_STOPWORDS } from "./more-stopwords.ts";
import { makeStemmer, type Stemmer } from "./snowball.ts";
import type * as Lists from "./stopword-lists.ts";

interface Description {
  /** Snowball algorithm. */
  stemmer: string;
  /** List of the stopword package. */
  stopwords: keyof typeof Lists;
  /** For languages that write compounds as one word: the letters that may stand between their parts. */
  joints?: string;
  /** For languages that write a letter in two where a keyboard lacks it. */
  digraphs?: Readonly<Record<string, string>>;
}

const GERMAN = { ä: "ae", ö: "oe", ü: "ue" };
const SWEDISH = { å: "aa", ä: "ae", ö: "oe" };
/** Their `æ` is the same as `ae` in every token. */
const DANISH = { å: "aa", ø: "oe" };

/** Languages with stop words and a stemmer, by ISO 639-1 code. */
const LANGUAGES = {
  en: { stemmer: "english", stopwords: "eng" },
  de: { stemmer: "german", stopwords: "deu", joints: "s n e es en er", digraphs: GERMAN },
  fr: { stemmer: "french", stopwords: "fra" },
  es: { stemmer: "spanish", stopwords: "spa" },
  it: { stemmer: "italian", stopwords: "ita" },
  pt: { stemmer: "portuguese", stopwords: "por" },
  nl: { stemmer: "dutch", stopwords: "nld", joints: "s e en er" },
  sv: { stemmer: "swedish", stopwords: "swe", joints: "s o e", digraphs: SWEDISH },
  da: { stemmer: "danish", stopwords: "dan", joints: "s e er", digraphs: DANISH },
  no: { stemmer: "norwegian", stopwords: "nob", joints: "s e er", digraphs: DANISH },
  fi: { stemmer: "finnish", stopwords: "fin", joints: "n", digraphs: SWEDISH },
  hu: { stemmer: "hungarian", stopwords: "hun", joints: "" },
  ro: { stemmer: "romanian", stopwords: "ron" },
  tr: { stemmer: "turkish", stopwords: "tur" },
  ru: { stemmer: "russian", stopwords: "rus" },
  ar: { stemmer: "arabic", stopwords: "ara" },
} as const satisfies Record<string, Description>;

export type Language = keyof typeof LANGUAGES;

export const DEFAULT_LANGUAGE: Language = "en";
const CODES = Object.keys(LANGUAGES) as Language[];

/** What analysis needs of one language. */
export interface LanguageTools {
  stopwords: ReadonlySet<string>;
  stem: (word: string) => string;
  /** The letters that may join the parts of a compound; undefined where compounds are not written as one word. */
  joints: readonly string[] | undefined;
  /** Letters that are also written in two, with these two. */
  digraphs: ReadonlyMap<string, string>;
}

export type LanguageTable = ReadonlyMap<Language, LanguageTools>;

/** Tools for every language; of each that is used, the stop words and the stemmer are made when they are first asked for. */
export async function loadLanguages(): Promise<LanguageTable> {
  const lists = await import("./stopword-lists.ts");
  return new Map(CODES.map((code) => [code, toolsFor(code, lists)]));
}

function toolsFor(code: Language, lists: typeof Lists): LanguageTools {
  const { stemmer, stopwords: list, joints, digraphs }: Description = LANGUAGES[code];
  let stopwords: ReadonlySet<string> | undefined;
  return {
    get stopwords() {
      return (stopwords ??= new Set([...wordsOf(lists[list]), ...(MORE_STOPWORDS[code] ?? "").split(/\s+/)]));
    },
    stem: rememberStems(() => makeStemmer(stemmer)),
    joints: joints?.split(" "),
    digraphs: new Map(Object.entries(digraphs ?? {})),
  };
}

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code);
}

function wordsOf(list: unknown): string[] {
  const words = Array.isArray(list) ? list.filter((word): word is string => typeof word === "string") : [];
  return words.map((word) => word.toLowerCase());
}

const REMEMBERED_STEMS = 200_000;

/** A new word costs the stemmer about 13 µs, a remembered one nothing to speak of. */
function rememberStems(make: () => Stemmer): (word: string) => string {
  let stemmer: Stemmer | undefined;
  const stems = new Map<string, string>();
  return (word) => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    stemmer ??= make();
    const stem = stemmer.stem(word);
    if (stems.size >= REMEMBERED_STEMS) stems.clear();
    stems.set(word, stem);
    return stem;
  };
}
