import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { openNoteRows } from "../../../src/memory/index/note-rows.ts";
import { SCHEMA } from "../../../src/memory/index/schema.ts";
import { emptyNote } from "../../../src/memory/notes/note.ts";
import { openStatistics } from "../../../src/memory/search/collection.ts";
import { conditionFor } from "../../../src/memory/search/filters.ts";
import { findCandidates } from "../../../src/memory/search/find-candidates.ts";
import { parseQuery } from "../../../src/memory/search/parse-query.ts";
import { planQuery } from "../../../src/memory/search/plan-query.ts";
import { loadLanguages, type LanguageTable } from "../../../src/memory/text/languages.ts";

const database = new Database(":memory:");
let languages: LanguageTable;
beforeAll(async () => {
  languages = await loadLanguages();
  database.exec(SCHEMA);
  const rows = openNoteRows(database, languages);
  for (let index = 0; index < 60; index++) {
    const words = ["owl", index % 2 === 0 ? "night" : "day", index % 10 === 0 ? "mouse" : "", index === 7 ? "zebra" : ""];
    rows.add(`findings/${index}.md`, { ...emptyNote(), id: `f-${index}`, title: `Note ${index}`, preamble: words.join(" ") });
  }
  rows.settle();
});

/** Ids by number; every word in more than 15 notes is common. */
function candidatesFor(text: string, limit: number): string[] {
  const parsed = parseQuery(text);
  const plan = planQuery(parsed, ["en"], languages);
  const collection = openStatistics(database, new Map()).describe(plan.terms);
  const wanted = { collection, condition: conditionFor(parsed.filters, undefined), limit };
  const found = findCandidates(database, plan, plan.terms, wanted, { candidates: 20, ranked: 10, rankedAlone: 15, newest: 12 });
  return (found ?? []).map(({ id }) => id);
}

describe("candidates of a search in a large store", () => {
  it("are found by the rare words of a query alone where these are enough", () => {
    expect(candidatesFor("owl mouse", 6).toSorted()).toEqual(["f-0", "f-10", "f-20", "f-30", "f-40", "f-50"]);
  });

  it("go on with the newest notes of its common words where they are not", () => {
    const found = candidatesFor("owl zebra night", 20);
    expect(found[0]).toBe("f-7");
    expect(found).toHaveLength(21);
    expect(new Set(found).size).toBe(21);
  });

  it("are the newest notes with every word where all words are common", () => {
    expect(candidatesFor("owl night", 10)).toEqual([58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36].map((index) => `f-${index}`));
  });

  it("are the newest with any of them where no note has every word", () => {
    expect(candidatesFor("day night", 10)).toHaveLength(12);
  });

  it("keep to what the query requires and excludes", () => {
    expect(candidatesFor('owl "owl night mouse" -f', 10).toSorted()).toEqual(["f-0", "f-10", "f-20", "f-30", "f-40", "f-50"]);
    expect(candidatesFor("owl zebra -day", 40)).not.toContain("f-7");
  });
});
