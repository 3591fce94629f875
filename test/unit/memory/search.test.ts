import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { parseQuery } from "../../../src/memory/search/parse-query.ts";
import { beginningOf, KEPT_LETTERS, makeSnippet } from "../../../src/memory/search/snippet.ts";
import { planQuery } from "../../../src/memory/search/plan-query.ts";
import { correctTerms } from "../../../src/memory/search/spelling.ts";
import { analyseText } from "../../../src/memory/text/analyse.ts";
import { detectLanguage, detectQueryLanguage } from "../../../src/memory/text/detect-language.ts";
import { loadLanguages, type LanguageTable } from "../../../src/memory/text/languages.ts";
import { anyText } from "./findings.ts";

let languages: LanguageTable;
beforeAll(async () => {
  languages = await loadLanguages();
});

describe("snippets", () => {
  it("may pass over words that begin otherwise, since stems keep their first letters in these languages", () => {
    const word = fc.oneof(
      fc.stringMatching(/^[A-Za-z][a-z]{0,12}$/),
      fc.stringMatching(/^[A-Za-z][a-z]{0,3}(s|es|ies|ed|ied|ing|ying|ly|li|y|er)$/),
      fc.constantFrom("dying", "lying", "tying", "skis", "skies", "sky", "idly", "gently", "ugly", "early", "only", "singly", "news"),
    );
    for (const [language, kept] of KEPT_LETTERS) {
      fc.assert(
        fc.property(word, (text) => {
          const { main, extra } = analyseText(text, language, languages);
          for (const token of main) expect(beginningOf(text, kept).startsWith(beginningOf(token, kept))).toBe(true);
          expect(extra).toEqual([]);
        }),
        { numRuns: 1000 },
      );
    }
  });
});

describe("queries", () => {
  it("hold words, phrases, prefixes, exclusions and fields", () => {
    expect(parseQuery('cache "median latency" comput* -redis -"cold start" -dyn* type:fact -status:outdated RUN:2026 source:"ab"')).toEqual(
      {
        words: ["cache"],
        prefixes: ["comput"],
        phrases: ["median latency"],
        excludedPhrases: ["redis", "cold start"],
        excludedPrefixes: ["dyn"],
        filters: [
          { field: "type", value: "fact", excluded: false },
          { field: "status", value: "outdated", excluded: true },
          { field: "run", value: "2026", excluded: false },
          { field: "source", value: "ab", excluded: false },
        ],
      },
    );
  });

  it.each([
    ["http://example.org/a", { words: ["http", "//example.org/a"] }],
    ["before:soon", { words: ["before", "soon"] }],
    ["before:2026-01", { filters: [{ field: "before", value: "2026-01", excluded: false }] }],
    ['"never closed', { phrases: ["never closed"] }],
    ["p-value", { words: ["p-value"] }],
    ['why is a "cold start" of caches slow', { words: ["why", "is", "a", "of", "caches", "slow"], phrases: ["cold start"] }],
    [
      'why is it that a "cold start" of caches is slow',
      { words: ["why", "is", "it", "that", "a", "of", "caches", "is", "slow", "cold start"] },
    ],
    ["a AND b OR NOT NEAR(c)", { words: ["a", "AND", "b", "OR", "NOT", "NEAR(c)"] }],
    ["", {}],
    ['"', {}],
  ])("read %j as what was most likely meant", (text, expected) => {
    expect(parseQuery(text)).toEqual({
      words: [],
      prefixes: [],
      phrases: [],
      excludedPhrases: [],
      excludedPrefixes: [],
      filters: [],
      ...expected,
    });
  });

  it("can be any text", () => {
    fc.assert(
      fc.property(anyText(300), (text) => {
        const plan = planQuery(parseQuery(text), ["en", "de", "ru"], languages);
        expect(plan.terms.every(({ tokens }) => tokens.every((token) => token !== "" && !token.includes(" ")))).toBe(true);
      }),
    );
  });
});

describe("text analysis", () => {
  it.each([
    ["The runners were running", "en", ["runner", "run"], []],
    ["a p-value below v1.2 of ABC-1384", "en", ["p", "valu", "v1", "2", "abc", "1384"], ["p-value", "v1.2", "abc-1384"]],
    ["H2O and C++ or c#", "en", ["h2o", "c", "c"], ["c++", "c#"]],
    ["parseNote HTTPServer snake_case", "en", ["parsenot", "httpserver", "snake", "case"], ["parse", "note", "snake_case"]],
    ["Müller’s café", "en", ["muller", "cafe"], []],
    ["die Häuser", "de", ["haus"], []],
    ["研究GPU", "en", ["研", "研究", "究", "gpu"], []],
    ["ﬁne Ｗｉｄｅ", "en", ["fine", "wide"], []],
    ["исследования ёлки", "ru", ["исследован", "елк"], []],
    ["in\u00adfor\u00admation", "en", ["inform"], []],
    ["---", "en", [], []],
  ] as const)("of %j gives the tokens people search for", (text, language, main, extra) => {
    expect(analyseText(text, language, languages)).toEqual({ main, extra });
  });

  it.each([
    ["The cache halves the latency of reads in most cases and it is cheap.", "en"],
    ["Der Speicher halbiert die Wartezeit, und das ist in den meisten Fällen nicht teuer für die Nutzer.", "de"],
    ["Le cache réduit de moitié la latence des lectures dans la plupart des cas et il est peu coûteux pour nous.", "fr"],
    ["Кэш вдвое уменьшает задержку чтения", "ru"],
    ["GPU A100 CUDA 12.4", "en"],
    ["die casting", "en"],
  ])("takes the language of %j from clear evidence only", (text, language) => {
    expect(detectLanguage(text, languages)).toBe(language);
  });
});

describe("the language of a question", () => {
  it.each([
    ["Wann wurde die Brücke gebaut?", ["en", "de"], "de"],
    ["Wann wurde die Brücke gebaut?", ["en"], "en"],
    ["war crimes", ["en", "de"], "en"],
    ["was the war over in the end", ["de"], "en"],
    ["Quand est le pont", ["en", "de"], "en"],
  ] as const)("of %j to notes in %j is taken from a few stop words", (text, present, language) => {
    expect(detectQueryLanguage(text, present, languages)).toBe(language);
  });

  it("does not make a stop word of the notes' language a misspelt one", () => {
    const { terms } = planQuery(parseQuery("welche Brücke"), ["en", "de"], languages);
    const { corrections } = correctTerms(
      terms,
      [0, 3],
      () => 5,
      () => [],
    );
    expect(corrections).toEqual([]);
  });
});

describe("snippets", () => {
  function snippet(text: string, query: string): string {
    return makeSnippet(text, planQuery(parseQuery(query), ["en"], languages).terms, "en", languages);
  }

  it("show the passage with the words that were asked for, marked", () => {
    const text = `${"Nothing to see here. ".repeat(40)}Latency was halved by the caches in use. ${"More of nothing. ".repeat(40)}`;
    const shown = snippet(text, "cache latency");
    expect(shown).toContain("**Latency** was halved by the **caches**");
    expect(shown).toMatch(/^….*…$/);
    expect(shown.length).toBeLessThan(300);
  });

  it("mark the pieces of a Chinese sentence that were asked for", () => {
    expect(snippet("本文介绍数据分析的方法", "数据分析")).toBe("本文介绍**数据分析**的方法");
  });

  it("can be made of any text for any query", () => {
    fc.assert(
      fc.property(anyText(400), anyText(12), (text, query) => {
        expect(snippet(text, `${query} ${text.slice(0, 20)}`).isWellFormed()).toBe(true);
      }),
    );
  });
});
