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

/** What analysis needs of one language. */
export interface LanguageTools {
  stopwords: ReadonlySet<string>;
  stem: (word: string) => string;
}

export type LanguageTable = ReadonlyMap<Language, LanguageTools>;

/** Loads stop words and stemmers (about 40 ms, once a process: called when text is first analysed). */
export async function loadLanguages(): Promise<LanguageTable> {
  const [{ default: snowball }, { default: lists }] = await Promise.all([import("snowball-stemmers"), import("stopword")]);
  return new Map(
    CODES.map((code) => {
      const { stemmer, stopwords } = LANGUAGES[code];
      return [code, { stopwords: wordsOf(lists[stopwords]), stem: rememberStems(() => snowball.newStemmer(stemmer)) }];
    }),
  );
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
