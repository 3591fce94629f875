import { isLanguage, type Language, type LanguageTable } from "../text/languages.ts";
import { detectLanguage } from "../text/detect-language.ts";
import { listWords } from "../text/words.ts";
import type { Note } from "../notes/note.ts";
import { searchableText } from "../notes/searchable-text.ts";
import { openWordTokens } from "./word-tokens.ts";

/** What a note adds to the index; tokens by their slots in a vocabulary. */
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
  const wordsOf = openWordTokens(languages, slotOf);
  return (note) => {
    const text = searchableText(note);
    const [titleWords, bodyWords] = [listWords(note.title), listWords(text)];
    const language = languageNamed(note) ?? detectLanguage(`${note.title}\n${text}`, languages, [...titleWords, ...bodyWords]);
    const tokensOf = wordsOf(language);
    const extra: number[] = [];
    const inOrder = (words: readonly string[]): number[] => {
      const slots: number[] = [];
      for (const raw of words) {
        const tokens = tokensOf(raw);
        for (const slot of tokens.main) slots.push(slot);
        for (const slot of tokens.extra) extra.push(slot);
      }
      return slots;
    };
    return { language, title: inOrder(titleWords), body: inOrder(bodyWords), extra };
  };
}

function languageNamed(note: Note): Language | undefined {
  const named = note.language.toLowerCase().split(/[-_]/)[0] ?? "";
  return isLanguage(named) ? named : undefined;
}
