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
    "findings/i.md",
    noteFile("f-mouse", "Mice fear shadows", front("r-1", "root.3", "2025-05-05", "related:\n  - { kind: refines, to: f-owl }\n")),
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
    ["nihgt", ["f-bat", "f-owl"]],
    ["insect nigth", ["f-bat", "f-owl"]],
    ["pio-1385 related:f-owl", []],
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
    ['"', []],
    ["*", []],
    ["-", []],
    ["?!", []],
  ])("finds what %j means", async (text, ids) => {
    expect(await idsFor(text)).toEqual(ids);
  });

  it.each([
    ["type:fact run:r-1", ["f-bat", "f-mouse", "f-owl"]],
    ["type:lessons", ["l-de"]],
    ["run:r-1 -type:fact", []],
    ["source:abc", ["f-bat"]],
    ["before:2026-02", ["f-mouse", "f-owl"]],
    ["after:2026-02-05", ["f-code", "f-bat"]],
    ["after:2026-01 before:2026-03 hunt", ["f-bat", "f-owl"]],
    ["status:nothing", []],
    ["related:f-owl", ["f-mouse"]],
    ["related:f-mouse", ["f-owl"]],
    ["run:r-1 -owl", ["f-bat", "f-mouse"]],
    ['type:lessons "', ["l-de"]],
  ])("keeps to the fields of %j", async (text, ids) => {
    expect((await idsFor(text)).toSorted()).toEqual(ids.toSorted());
  });

  it("does not show what the hidden agents of a run found", async () => {
    expect(await idsFor("hunt", { run: "r-1", agents: ["root.1"] })).toEqual(["f-bat"]);
    expect(await idsFor("", { run: "r-1", agents: ["root.1", "root.2"] })).not.toContain("f-owl");
    expect(await idsFor("hunt", { run: "r-2", agents: ["root.1", "root.2"] })).toHaveLength(2);
  });

  it("does not name what is hidden in the relations of other notes, nor find by it", async () => {
    const hide = { run: "r-1", agents: ["root.1"] };
    expect((await store.memory.search({ text: "mice shadows", limit: 1 }))[0]?.related).toEqual([{ kind: "refines", to: "f-owl" }]);
    expect((await store.memory.search({ text: "mice shadows", limit: 1, hide }))[0]?.related).toEqual([]);
    expect(await idsFor("related:f-owl", hide)).toEqual([]);
    expect(await idsFor("related:f-mouse", hide)).toEqual([]);
  });

  it("explains each score by the words of the query", async () => {
    const { hits } = await store.memory.find({ text: "owls insects nothing", limit: 2 });
    for (const { score, explanation } of hits) {
      const sum = explanation.terms.reduce((total, term) => total + term.score, explanation.neighbours);
      expect(sum).toBeCloseTo(score, 6);
    }
    expect(hits.map(({ explanation }) => explanation.terms.map(({ word }) => word))).toEqual([["insects"], ["owls"]]);
  });

  it("corrects words that no note holds, and says by what", async () => {
    const { hits, corrections } = await store.memory.find({ text: "insetcs", limit: 5 });
    expect(hits.map(({ id }) => id)).toEqual(["f-bat"]);
    expect(corrections).toEqual([{ word: "insetcs", instead: "insects" }]);
    expect((await store.memory.find({ text: '"hunt insetcs"', limit: 5 })).corrections).toEqual([{ word: "insetcs", instead: "insect" }]);
    expect((await store.memory.find({ text: "pio-1385", limit: 5 })).corrections).toEqual([]);
  });

  it("does nothing that a title, a key or a query says", async () => {
    const title = "'; DROP TABLE notes; -- <script>alert(1)</script> {title}: NEAR(a b) \u001b]0;owned\u0007";
    const own = await makeTemporaryMemory();
    const front = `status: "' OR 1=1 --"\nrun_id: "r\\"); DELETE FROM files; --"\n__proto__: { polluted: true }\nconstructor: x\n`;
    await own.put("findings/x.md", `---\nid: "f-1' OR '1'='1"\ntype: fact\n${front}---\n\n# ${title}\n`);
    await own.put("findings/y.md", noteFile("f-2", "A second note"));
    expect(await own.memory.list()).toHaveLength(2);
    for (const text of [title, "' OR 1=1 --", `status:"' OR 1=1 --"`, 'run:"%"', "type:*", "id:f-2 OR 1", `related:"x' OR '1'='1"`]) {
      expect((await own.memory.list({ text })).length).toBeLessThanOrEqual(2);
    }
    expect(await own.memory.list({ text: 'run:"%"' })).toEqual([]);
    expect((await own.memory.get("f-1' OR '1'='1")).note.extra).toEqual({ ["__proto__"]: { polluted: true }, constructor: "x" });
    expect(Object.prototype).not.toHaveProperty("polluted");
    expect(await own.memory.check()).toMatchObject({ notes: 2, broken: [], dangling: [] });
    await own.remove();
  });

  it("gives at most as many hits as asked for", async () => {
    expect(await store.memory.search({ text: "hunt", limit: 1 })).toHaveLength(1);
    expect(await store.memory.list({ limit: 3 })).toHaveLength(3);
    expect(await store.memory.list()).toHaveLength(9);
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
