import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { SCHEMA } from "../../../src/memory/index/schema.ts";
import { emptyNote } from "../../../src/memory/notes/note.ts";
import { parseQuery } from "../../../src/memory/search/parse-query.ts";
import { planQuery, type Term } from "../../../src/memory/search/plan-query.ts";
import { searchIndex } from "../../../src/memory/search/search-index.ts";
import { splitCompounds } from "../../../src/memory/search/split-compounds.ts";
import { analyseText } from "../../../src/memory/text/analyse.ts";
import { loadLanguages, type Language, type LanguageTable } from "../../../src/memory/text/languages.ts";
import { respellWord } from "../../../src/memory/text/respell.ts";
import { openTables } from "../../../src/memory/index/index-tables.ts";
import { addNotes } from "./add-notes.ts";

let languages: LanguageTable;
beforeAll(async () => {
  languages = await loadLanguages();
});

/** The terms of a query to notes that hold these texts, one a note, with the parts of its compounds. */
function termsOf(query: string, language: Language, texts: string[]): Term[] {
  const notes = texts.map((text) => new Set(analyseText(text, language, languages).main));
  const tools = [...new Set<Language>(["en", language])].flatMap((code) => languages.get(code) ?? []);
  const { terms } = planQuery(parseQuery(query), ["en", language], languages);
  return splitCompounds(terms, tools, (token) => notes.filter((note) => note.has(token)).length);
}

describe("a compound in a query", () => {
  it.each([
    ["de", "Eisenbahnstrecken", ["Die Eisenbahn im Tal", "eine lange Strecke"], ["eisenbahn", "strecken"]],
    ["de", "Verfassungsgericht", ["Das Gericht tagt", "Die Verfassung gilt"], ["verfassungs", "gericht"]],
    ["de", "Bundesverfassungsgericht", ["Gericht", "Verfassung", "der Bund"], ["bundes", "verfassungs", "gericht"]],
    ["de", "Häuserpreise", ["alte Häuser", "der Preis"], ["häuser", "preise"]],
    ["de", "Schulsysteme", ["eine Schule", "zwei Systeme"], ["schul", "systeme"]],
    ["nl", "stadsbibliotheek", ["de stad", "een bibliotheek"], ["stads", "bibliotheek"]],
    ["sv", "arbetslöshetsförsäkring", ["en försäkring", "arbetslöshet"], ["arbetslöshet", "försäkring"]],
    ["da", "kommunalbestyrelsesmedlem", ["et medlem", "kommunalbestyrelse"], ["kommunalbestyrelses", "medlem"]],
    ["no", "fiskerigrensen", ["en grense", "fiskeri"], ["fiskeri", "grensen"]],
    ["fi", "kaupunginkirjasto", ["kaupunki", "kirjasto kaupungin laidalla"], ["kaupungin", "kirjasto"]],
    ["hu", "könyvtárépület", ["a könyvtár", "az épület"], ["könyvtár", "épület"]],
  ] as const)("in %s, %s, asks for its parts as well, at half weight", (language, query, texts, parts) => {
    const [whole, ...found] = termsOf(query, language, [...texts]);
    expect(whole).toMatchObject({ word: query.toLowerCase(), weight: 1, isKnownWord: true });
    expect(found.map(({ word }) => word)).toEqual(parts);
    expect(found.every(({ weight, isKnownWord }) => weight === 0.5 && isKnownWord)).toBe(true);
  });

  it.each([
    ["is in more notes than its parts", "Eisenbahnstrecken", "de", ["Eisenbahnstrecken", "Eisenbahnstrecke", "Eisenbahn und Strecke"]],
    ["has a part that no note holds", "Eisenbahnstrecken", "de", ["Eisenbahn"]],
    ["would leave an ending alone", "Zeitungen", "de", ["die Zeit"]],
    ["begins with a stop word", "überlassen", "de", ["über", "lassen"]],
    ["is short", "Bahnhof", "de", ["Bahn", "Hof"]],
    ["is of a language that writes compounds in two words", "railroadtrack", "en", ["railroad", "track"]],
    ["is a code", "abc12345xyz", "de", ["abc", "12345xyz"]],
  ] as const)("stays whole where it %s", (_why, query, language, texts) => {
    expect(termsOf(query, language, [...texts])).toMatchObject([{ word: query.toLowerCase(), isKnownWord: false }]);
  });

  it("does not ask twice for a part that the query names itself", () => {
    expect(termsOf("Strecken Eisenbahnstrecken", "de", ["Eisenbahn", "Strecke"]).map(({ word }) => word)).toEqual([
      "strecken",
      "eisenbahnstrecken",
      "eisenbahn",
    ]);
  });
});

describe("a search for a compound", () => {
  it("finds the notes with its parts as well as those with the whole, and corrects nothing", () => {
    const reader = new Database(":memory:");
    reader.exec(SCHEMA);
    const texts = [
      "Die Fähre braucht bei ruhiger See nur eine Stunde bis zur Insel.",
      "Die Strecke der Eisenbahn führt durch das Tal und über zwei Brücken.",
      "Im Gebirge sind Eisenbahnstrecken teuer, weil sie Tunnel brauchen.",
    ];
    addNotes(
      reader,
      languages,
      texts.map((preamble, at) => Object.assign(emptyNote(), { id: `f-${at}`, language: "de", preamble })),
    );
    const search = (text: string) => searchIndex({ reader, languages, tables: () => openTables(reader) }, { text, limit: 10 });
    expect(
      search("Eisenbahnstrecken")
        .notes.map(({ id }) => id)
        .toSorted(),
    ).toEqual(["f-1", "f-2"]);
    expect(search("Inselfähre").notes.map(({ id }) => id)).toEqual(["f-0"]);
    expect(search("Inselfähre").corrections).toEqual([]);
  });
});

describe("a letter that some keyboards lack", () => {
  it.each([
    ["de", "Müller", "Der Mueller mahlt das Korn"],
    ["de", "Mueller", "Der Müller mahlt das Korn"],
    ["de", "Strassenlaerm", "Am Abend nimmt der Straßenlärm ab"],
    ["de", "Goethe", "Göthe hieß er in alten Briefen"],
    ["sv", "Malmoe", "Tåget till Malmö går varje timme"],
    ["da", "Århus", "Toget til Aarhus kører hver time"],
    ["da", "Koebenhavn", "Toget til København kører hver time"],
    ["no", "Tromsoe", "Båten til Tromsø går hver dag"],
  ] as const)("is the same in two letters: in %s, %s finds a note that says %j", (language, query, text) => {
    const held = analyseText(text, language, languages).main;
    const [term] = planQuery(parseQuery(query), ["en", language], languages).terms;
    expect(term?.tokens.some((token) => held.includes(token))).toBe(true);
    const { required } = planQuery(parseQuery(`"${query}"`), ["en", language], languages);
    expect(required[0]?.some(([token = ""]) => held.includes(token))).toBe(true);
  });

  it.each([
    ["neue", "de"],
    ["quelle", "de"],
    ["mueller", "en"],
    ["treue", "nl"],
  ] as const)("is not seen where there is none: in %s, in %s", (word, language) => {
    expect(respellWord(word, languages.get(language)?.digraphs ?? new Map())).toEqual([]);
  });
});
