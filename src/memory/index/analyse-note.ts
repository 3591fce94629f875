import { isLanguage, type Language, type LanguageTable } from "../text/languages.ts";
import { detectLanguage } from "../text/detect-language.ts";
import { listWords } from "../text/words.ts";
import type { Note } from "../notes/note.ts";
import { searchableText } from "../notes/searchable-text.ts";
import { openKnownWords } from "./known-words.ts";

/** What a note adds to the index; tokens by their slots. */
export interface AnalysedNote {
  language: Language;
  /** In reading order. */
  title: number[];
  body: number[];
  /** Compounds and parts of identifiers, of title and body. */
  extra: number[];
}

/** Gives the tokens of notes; `slotOf` finds the slot of a token. */
export function openNoteAnalysis(languages: LanguageTable, slotOf: (token: string) => number): (note: Note) => AnalysedNote {
  const known = openKnownWords(languages, slotOf);
  return (note) => {
    known.settle();
    const text = searchableText(note);
    const [titleWords, bodyWords] = [known.number(listWords(note.title)), known.number(listWords(text))];
    const language =
      languageNamed(note) ?? detectLanguage(`${note.title}\n${text}`, languages, [titleWords, bodyWords].flat().map(known.sample));
    const extra: number[] = [];
    const inOrder = (words: readonly number[]): number[] => {
      const main: number[] = [];
      for (const word of words) known.addTokens(word, language, main, extra);
      return main;
    };
    return { language, title: inOrder(titleWords), body: inOrder(bodyWords), extra };
  };
}

function languageNamed(note: Note): Language | undefined {
  const named = note.language.toLowerCase().split(/[-_]/)[0] ?? "";
  return isLanguage(named) ? named : undefined;
}
