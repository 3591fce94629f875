import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { openTables } from "../../../src/memory/index/index-tables.ts";
import { SCHEMA } from "../../../src/memory/index/schema.ts";
import { emptyNote } from "../../../src/memory/notes/note.ts";
import { openStatistics } from "../../../src/memory/search/collection.ts";
import { conditionFor } from "../../../src/memory/search/filters.ts";
import { findCandidates } from "../../../src/memory/search/find-candidates.ts";
import { parseQuery } from "../../../src/memory/search/parse-query.ts";
import { planQuery } from "../../../src/memory/search/plan-query.ts";
import { loadLanguages, type LanguageTable } from "../../../src/memory/text/languages.ts";
import { addNotes } from "./add-notes.ts";

const database = new Database(":memory:");
let languages: LanguageTable;
beforeAll(async () => {
  languages = await loadLanguages();
  database.exec(SCHEMA);
  const notes = Array.from({ length: 60 }, (_, index) => {
    const words = ["owl", index % 2 === 0 ? "night" : "day", index % 10 === 0 ? "mouse" : "", index === 7 ? "zebra" : ""];
    const status = index === 41 ? "contested" : "observed";
    return { ...emptyNote(), id: `f-${index}`, title: `Note ${index}`, status, preamble: words.join(" ") };
  });
  addNotes(database, languages, notes);
});

const ROOMY = { candidates: 20, postings: 1000, searched: 1000 };

/** Ids, best first. */
function candidatesFor(text: string, limit: number, bounds = ROOMY): string[] {
  const parsed = parseQuery(text);
  const plan = planQuery(parsed, ["en"], languages);
  const tables = openTables(database);
  const collection = openStatistics(tables).describe(plan.terms);
  const wanted = { collection, condition: conditionFor(parsed.filters, undefined), limit };
  return (findCandidates(tables, plan, plan.terms, wanted, bounds) ?? []).map(({ id }) => id);
}

const MICE = ["f-0", "f-10", "f-20", "f-30", "f-40", "f-50"];

describe("candidates of a search", () => {
  it("are the notes with the best scores, best first", () => {
    const found = candidatesFor("owl zebra mouse", 10);
    expect(found[0]).toBe("f-7");
    expect(found.slice(1, 7).toSorted()).toEqual(MICE);
  });

  it("are as many as were asked for, and all that score like the last of them", () => {
    expect(candidatesFor("zebra mouse", 2, { ...ROOMY, candidates: 2 })).toHaveLength(1 + MICE.length);
    expect(candidatesFor("owl", 100)).toHaveLength(60);
  });

  it("are found by the rarest words alone in a store with more of them than can be read", () => {
    expect(candidatesFor("owl mouse", 10, { ...ROOMY, postings: 10 }).toSorted()).toEqual(MICE);
    expect(candidatesFor("owl zebra night", 20, { ...ROOMY, postings: 20 })).toEqual(["f-7"]);
  });

  it("are found by the rarest word however common it is", () => {
    expect(candidatesFor("owl day", 60, { ...ROOMY, postings: 1 })).toHaveLength(30);
  });

  it("keep to the phrases that the query requires and excludes", () => {
    expect(candidatesFor('owl "owl night mouse" -f', 10).toSorted()).toEqual(MICE);
    expect(candidatesFor('"mouse night"', 10)).toEqual([]);
    expect(candidatesFor('"owl unheard"', 10)).toEqual([]);
    expect(candidatesFor("owl zebra -day", 60)).toHaveLength(30);
    expect(candidatesFor("owl zebra -da*", 60)).toHaveLength(30);
    expect(candidatesFor("owl zebra -day", 60)).not.toContain("f-7");
  });

  it("have a required phrase though too many notes hold its words to score them", () => {
    expect(candidatesFor('zebra "owl night mouse"', 10, { ...ROOMY, postings: 1 }).toSorted()).toEqual(MICE);
  });

  it("hold a phrase in their title or in their text, in one piece", () => {
    const bounds = { ...ROOMY, candidates: 1 };
    expect(candidatesFor('"7 owl day zebra" owl night', 1, bounds)).toEqual([]);
    expect(candidatesFor('"owl day zebra" owl night', 1, bounds)).toEqual(["f-7"]);
    expect(candidatesFor('"note 7" owl night', 1, bounds)).toEqual(["f-7"]);
  });

  it("meet the filters, however few of the notes do", () => {
    expect(candidatesFor("owl status:rejected", 10)).toEqual([]);
    expect(candidatesFor("owl status:contested", 1, { ...ROOMY, candidates: 1 })).toEqual(["f-41"]);
  });
});
