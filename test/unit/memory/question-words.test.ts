import { beforeAll, describe, expect, it } from "vitest";
import { parseQuery } from "../../../src/memory/search/parse-query.ts";
import { planQuery } from "../../../src/memory/search/plan-query.ts";
import { loadLanguages, type LanguageTable } from "../../../src/memory/text/languages.ts";
import { dropQuestionWords } from "../../../src/memory/text/question-words.ts";

let languages: LanguageTable;
beforeAll(async () => {
  languages = await loadLanguages();
});

describe("question words", () => {
  it.each([
    ["这座桥是什么时候建成的？", "这座桥是 建成的？"],
    ["誰發明了電話", " 發明了電話"],
    ["吗啡有什么作用吗", "吗啡有 作用 "],
    ["何人がダムを造ったか", " がダムを造ったか"],
    ["湖面有多少平方公里", "湖面有 平方公里"],
    ["ダムはどこにありますか", "ダムは にありますか"],
    ["川の長さは何キロですか", "川の長さは キロですか"],
    ["다리는 언제 만들어졌나요", "다리는   만들어졌나요"],
    ["호수는 어디인가요", "호수는  "],
    ["ทำไมทะเลเค็ม", " ทะเลเค็ม"],
  ])("are left out of %s", (question, rest) => {
    expect(dropQuestionWords(question)).toBe(rest);
  });

  it.each([
    ["parts of other words", "几何学与如今"],
    ["names", "何炅"],
    ["parts of other words", "いつも速い電車"],
    ["parts of other words", "누가복음 왜구"],
    ["all that is asked for", "什么？"],
    ["of another script", "what is the question"],
  ])("are kept where they are %s: %s", (_why, question) => {
    expect(dropQuestionWords(question)).toBe(question);
  });

  it("do not rank notes in a search, whatever the notes' language", () => {
    const words = planQuery(parseQuery("潮汐为什么每天变化"), ["en"], languages).terms.map(({ word }) => word);
    expect(words).toEqual(expect.arrayContaining(["潮汐", "每天", "变化"]));
    expect(words.filter((word) => /[为什么]/u.test(word))).toEqual([]);
  });

  it("are kept in a phrase between quotation marks", () => {
    expect(planQuery(parseQuery('"为什么"'), ["en"], languages).required).toHaveLength(1);
  });

  it.each([
    ["en", "Why and when did whom meet", ["meet"]],
    ["de", "Worauf und wofür beruht das, und womit", ["beruht"]],
    ["nl", "Waarom en wanneer is hoeveel water gezakt", ["water", "gezakt"]],
    ["fr", "Pourquoi et comment est le pont, et combien", ["pont"]],
    ["es", "Cuándo y dónde se construyen los puentes, y cuántos", ["construyen", "puentes"]],
    ["it", "Quando e cosa con il ponte, e quali", ["ponte"]],
    ["fi", "Milloin ja miksi se on silta, ja kuka", ["silta"]],
    ["ru", "Почему и зачем он мост, сколько и откуда", ["мост"]],
  ] as const)("of %s are stop words", (language, question, rest) => {
    expect(planQuery(parseQuery(question), [language], languages).terms.map(({ word }) => word)).toEqual(rest);
  });
});

describe("a Chinese word in a query", () => {
  it("counts by its pairs, and half by its characters", () => {
    const { terms } = planQuery(parseQuery("潮汐"), ["en"], languages);
    expect(terms.map(({ word, weight }) => [word, weight])).toEqual([
      ["潮", 0.5],
      ["潮汐", 1],
      ["汐", 0.5],
    ]);
  });

  it("counts in full where it is one character", () => {
    expect(planQuery(parseQuery("茶"), ["en"], languages).terms).toMatchObject([{ word: "茶", weight: 1 }]);
  });
});
