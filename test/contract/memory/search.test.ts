import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyText } from "../../unit/memory/findings.ts";
import { makeTemporaryMemory, noteFile, type TemporaryMemory } from "./temporary-memory.ts";

let store: TemporaryMemory;
beforeAll(async () => {
  store = await makeTemporaryMemory();
  const front = (run: string, agent: string, created: string, more = "") =>
    `run_id: ${run}\ncreated_by: ${agent}\ncreated: "${created}"\n${more}`;
  await store.put("findings/a.md", noteFile("f-owl", "Owls hunt mice by night", front("r-1", "root.1", "2026-01-05T10:00:00Z")));
  await store.put(
    "findings/b.md",
    noteFile("f-bat", "Bats hunt insects by night", front("r-1", "root.2", "2026-02-05", "sources: [abcdef]\n")),
  );
  await store.put(
    "findings/c.md",
    noteFile("f-code", "Call parseNote with v1.2 of PIO-1384 in C++ for a p-value", front("r-2", "root", "2026-03-05")),
  );
  await store.put("hypotheses/d.md", noteFile("h-zh", "缓存可以减少数据库的读取延迟"));
  await store.put("questions/e.md", noteFile("q-th", "การวิเคราะห์ข้อมูลขนาดใหญ่"));
  await store.put(
    "lessons/f.md",
    noteFile("l-de", "Die Häuser und die Straßen sind in den meisten Städten nicht sehr alt, und das ist auch gut so"),
  );
  await store.put("decisions/g.md", noteFile("d-ru", "Кэширование уменьшает задержки чтения"));
  await store.put("syntheses/h.md", noteFile("s-ar", "تحليل البيانات الكبيرة", "status: tested\n".slice(0, 0)));
});
afterAll(() => store.remove());

const idsFor = async (text: string, hide?: { run: string; agents: string[] }) =>
  (await store.memory.search({ text, limit: 50, hide })).map(({ id }) => id);

describe("search", () => {
  it.each([
    ["owl", ["f-owl"]],
    ["OWLS hunting", ["f-owl", "f-bat"]],
    ['"hunt insects"', ["f-bat"]],
    ['"insects hunt"', []],
    ["hunt -mice", ["f-bat"]],
    ['night -"hunt mice"', ["f-bat"]],
    ["insec*", ["f-bat"]],
    ["night -insec*", ["f-owl"]],
    ["pio-1384", ["f-code"]],
    ["v1.2", ["f-code"]],
    ["c++", ["f-code"]],
    ["p-value", ["f-code"]],
    ["parsenote", ["f-code"]],
    ["数据库", ["h-zh"]],
    ["读取延迟怎么办", ["h-zh"]],
    ["ข้อมูล", ["q-th"]],
    ["Haus", ["l-de"]],
    ["hauser strasse", ["l-de"]],
    ["задержка", ["d-ru"]],
    ["البيانات", ["s-ar"]],
    ["zebra", []],
    ["the of and", []],
  ])("finds what %j means", async (text, ids) => {
    expect(await idsFor(text)).toEqual(ids);
  });

  it.each([
    ["type:fact run:r-1", ["f-bat", "f-owl"]],
    ["type:lessons", ["l-de"]],
    ["run:r-1 -type:fact", []],
    ["source:abc", ["f-bat"]],
    ["before:2026-02", ["f-owl"]],
    ["after:2026-02-05", ["f-code", "f-bat"]],
    ["after:2026-01 before:2026-03 hunt", ["f-bat", "f-owl"]],
    ["status:nothing", []],
    ["run:r-1 -owl", ["f-bat"]],
  ])("keeps to the fields of %j", async (text, ids) => {
    expect((await idsFor(text)).toSorted()).toEqual(ids.toSorted());
  });

  it("does not show what the hidden agents of a run found", async () => {
    expect(await idsFor("hunt", { run: "r-1", agents: ["root.1"] })).toEqual(["f-bat"]);
    expect(await idsFor("", { run: "r-1", agents: ["root.1", "root.2"] })).not.toContain("f-owl");
    expect(await idsFor("hunt", { run: "r-2", agents: ["root.1", "root.2"] })).toHaveLength(2);
  });

  it("gives at most as many hits as asked for", async () => {
    expect(await store.memory.search({ text: "hunt", limit: 1 })).toHaveLength(1);
    expect(await store.memory.list({ limit: 3 })).toHaveLength(3);
    expect(await store.memory.list()).toHaveLength(8);
  });

  it("answers any text, whatever it looks like to the index", async () => {
    const syntax = fc.constantFrom(
      '"',
      "*",
      "-",
      "(",
      ")",
      ":",
      "^",
      "NEAR(",
      " AND ",
      " OR ",
      " NOT ",
      "{title}:",
      "owl",
      "-owl",
      "type:",
      "\0",
      "'",
      ";--",
      "\ud800",
    );
    const query = fc.oneof(
      anyText(60),
      fc.array(syntax, { maxLength: 10 }).map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        expect(Array.isArray(await store.memory.list({ text, limit: 5 }))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("answers a query of thousands of words", async () => {
    const words = Array.from({ length: 5000 }, (_, index) => `word${index}`);
    expect(await idsFor(["owl", ...words].join(" "))).toEqual(["f-owl"]);
    expect(await idsFor(`owl ${words.map((word) => `-${word}`).join(" ")}`)).toEqual(["f-owl"]);
    expect(await idsFor(`"owls hunt" ${words.map((word) => `"${word}"`).join(" ")}`)).toEqual([]);
  });
});
