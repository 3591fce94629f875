import { createRequire } from "node:module";
import type Snowball from "snowball-stemmers";

/** Languages with stop words and a stemmer: ISO 639-1 code, Snowball algorithm, list of the stopword package. */
const LANGUAGES = {
  en: { stemmer: "english", stopwords: "eng" },
  de: { stemmer: "german", stopwords: "deu" },
  fr: { stemmer: "french", stopwords: "fra" },
  es: { stemmer: "spanish", stopwords: "spa" },
  it: { stemmer: "italian", stopwords: "ita" },
  pt: { stemmer: "portuguese", stopwords: "por" },
  nl: { stemmer: "dutch", stopwords: "nld" },
  sv: { stemmer: "swedish", stopwords: "swe" },
  da: { stemmer: "danish", stopwords: "dan" },
  no: { stemmer: "norwegian", stopwords: "nob" },
  fi: { stemmer: "finnish", stopwords: "fin" },
  hu: { stemmer: "hungarian", stopwords: "hun" },
  ro: { stemmer: "romanian", stopwords: "ron" },
  tr: { stemmer: "turkish", stopwords: "tur" },
  ru: { stemmer: "russian", stopwords: "rus" },
  ar: { stemmer: "arabic", stopwords: "ara" },
} as const;

export type Language = keyof typeof LANGUAGES;

export const DEFAULT_LANGUAGE: Language = "en";
const CODES = Object.keys(LANGUAGES) as Language[];

/** English function words that the package's list of 108 leaves out (Porter's Snowball list has them). */
const MORE_ENGLISH = `myself ours ourselves yours yourself yourselves she hers herself itself theirs themselves whom having does
  doing ought cannot until against during above below down off again further once when why few no nor not own so will just
  don may shall upon within without`.split(/\s+/);

/** What analysis needs of one language. */
export interface LanguageTools {
  stopwords: ReadonlySet<string>;
  stem: (word: string) => string;
}

export type LanguageTable = ReadonlyMap<Language, LanguageTools>;

/** Loads stop words and stemmers (about 40 ms, once a process: called when text is first analysed). */
export async function loadLanguages(): Promise<LanguageTable> {
  const lists = await import("./stopword-lists.ts");
  const snowball = loadSnowball();
  return new Map(
    CODES.map((code) => {
      const { stemmer, stopwords } = LANGUAGES[code];
      const more = code === "en" ? MORE_ENGLISH : [];
      return [
        code,
        { stopwords: new Set([...wordsOf(lists[stopwords]), ...more]), stem: rememberStems(() => snowball.newStemmer(stemmer)) },
      ];
    }),
  );
}

/** All algorithms are one file of 860 kB: `import` would read it three times over to learn what it exports. */
function loadSnowball(): typeof Snowball {
  return createRequire(import.meta.url)("snowball-stemmers") as typeof Snowball;
}

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code);
}

function wordsOf(list: unknown): ReadonlySet<string> {
  const words = Array.isArray(list) ? list.filter((word): word is string => typeof word === "string") : [];
  return new Set(words.map((word) => word.toLowerCase()));
}

const REMEMBERED_STEMS = 200_000;

/** A new word costs the stemmer about 13 µs, a remembered one nothing to speak of. */
function rememberStems(makeStemmer: () => { stem(word: string): string }): (word: string) => string {
  let stemmer: { stem(word: string): string } | undefined;
  const stems = new Map<string, string>();
  return (word) => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    stemmer ??= makeStemmer();
    const stem = stemmer.stem(word);
    if (stems.size >= REMEMBERED_STEMS) stems.clear();
    stems.set(word, stem);
    return stem;
  };
}
