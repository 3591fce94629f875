import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/domain/hash.ts";
import { makeFinding } from "../../unit/memory/findings.ts";
import { makeTemporaryMemory, noteFile, type TemporaryMemory } from "./temporary-memory.ts";

let store: TemporaryMemory;
beforeEach(async () => {
  store = await makeTemporaryMemory();
});
afterEach(() => store.remove());

const OWN = "reviewer: Ada\nnested: { a: [1, two] }\n";

describe("notes of a person", () => {
  it("are added as files that search finds", async () => {
    const { id, path } = await store.memory.add(
      { type: "decision", title: "Arrays of 64 items", statement: "We test *short* arrays." },
      "0123456789",
    );
    expect([id, path]).toEqual(["d-0123456789", "decisions/arrays-of-64-items-d-0123456789.md"]);
    expect((await store.memory.search({ text: "short array", limit: 5 })).map((hit) => hit.id)).toEqual([id]);
    expect((await store.memory.get("d-01")).note).toMatchObject({ created_by: "person", status: "observed", title: "Arrays of 64 items" });
  });

  it("need a title", async () => {
    await expect(store.memory.add({ type: "lesson", title: " - ", statement: "" }, "0123456789")).rejects.toMatchObject({ code: "usage" });
  });
});

describe("relations", () => {
  beforeEach(async () => {
    await store.put("findings/mine/a.md", noteFile("f-1", "Owls hunt at night", OWN));
    await store.put("findings/b.md", noteFile("f-2", "Owls sleep by day"));
  });

  it("are written into the first note, and everything else in it is kept", async () => {
    expect(await store.memory.link("f-1", "supports", "f-2")).toBe(true);
    expect(await store.memory.link("f-1", "supports", "f-2")).toBe(false);
    const { note, path } = await store.memory.get("f-1");
    expect(path).toBe("findings/mine/a.md");
    expect(note).toMatchObject({ related: [{ kind: "supports", to: "f-2" }], extra: { reviewer: "Ada", nested: { a: [1, "two"] } } });
    expect((await store.memory.list({ text: "related:f-2" })).map(({ id }) => id)).toEqual(["f-1"]);
  });

  it.each([
    ["f-1", "f-9", "not_found"],
    ["f-9", "f-1", "not_found"],
    ["f-", "f-1", "not_found"],
    ["f-1", "f-1", "refused"],
  ])("from %s to %s are refused", async (from, to, code) => {
    await expect(store.memory.link(from, "supports", to)).rejects.toMatchObject({ code });
  });

  it("make a note outdated that names its successor, once", async () => {
    expect(await store.memory.retire("f-1", "f-2")).toBe(true);
    expect(await store.memory.retire("f-1", "f-2")).toBe(false);
    expect((await store.memory.get("f-1")).note).toMatchObject({ status: "outdated", superseded_by: "f-2" });
    expect(await store.memory.check()).toMatchObject({ dangling: [], rules: [] });
    await expect(store.memory.retire("f-1", "f-1")).rejects.toMatchObject({ code: "refused" });
  });
});

describe("the rules of notes", () => {
  const evidence = (source: string) => ({ source, quote: "Owls hunt.", text_sha256: "t", extractor: "plain@1", start: 0, end: 10 });
  const witnesses = (over: object = {}) => ({ published: new Map(), countIndependent: async () => 2, ...over });

  it("ask two independent sources for corroborated", async () => {
    const finding = makeFinding({ status: "corroborated", evidence: [evidence("aa"), evidence("bb")] });
    await store.memory.write(store.memory.noteFor(finding));
    expect((await store.memory.check()).rules).toEqual([]);
    const asked: string[][] = [];
    const countIndependent = async (ranges: { source: string }[]) => {
      asked.push(ranges.map(({ source }) => source));
      return 1;
    };
    const { rules } = await store.memory.check(witnesses({ countIndependent }));
    expect(rules).toEqual([
      { id: finding.id, path: expect.any(String), message: expect.stringContaining("two independent sources, and this is 1") },
    ]);
    expect(asked).toEqual([["aa", "bb"]]);
  });

  it("ask an outdated note for its successor", async () => {
    await store.put("findings/a.md", noteFile("f-1", "Owls").replace("observed", "outdated"));
    expect((await store.memory.check()).rules).toEqual([
      { id: "f-1", path: "findings/a.md", message: expect.stringContaining("superseded_by") },
    ]);
    await store.put("findings/a.md", noteFile("f-1", "Owls", "superseded_by: f-7\n").replace("observed", "outdated"));
    expect(await store.memory.check()).toMatchObject({ rules: [], dangling: [{ id: "f-1", kind: "superseded_by", to: "f-7" }] });
  });

  it("tell which published notes were edited, and which moves of status were none", async () => {
    const note = store.memory.noteFor(makeFinding());
    await store.memory.write(note);
    const published = new Map([["f-0123456789", { run: "r-1", status: "observed", sha256: sha256(note.text) }]]);
    expect(await store.memory.check(witnesses({ published }))).toMatchObject({ edited: [], rules: [] });
    await store.put(note.path, note.text.replace("halves", "may halve"));
    expect(await store.memory.check(witnesses({ published }))).toMatchObject({ edited: [{ id: "f-0123456789", run: "r-1" }], rules: [] });
    await store.put(note.path, note.text.replace("status: observed", "status: tested"));
    const { rules } = await store.memory.check(witnesses({ published }));
    expect(rules.map(({ message }) => message)).toEqual([expect.stringContaining("observed cannot become tested")]);
  });
});

describe("an export", () => {
  it("holds every readable note once, in the order of their paths", async () => {
    await store.put("lessons/b.md", noteFile("l-1", "Bats"));
    await store.put("findings/a.md", noteFile("f-1", "Owls", OWN));
    await store.put("findings/z.md", "broken");
    const notes = [];
    for await (const note of store.memory.export()) notes.push(note);
    expect(notes.map(({ path, note }) => [path, note.id])).toEqual([
      ["findings/a.md", "f-1"],
      ["lessons/b.md", "l-1"],
    ]);
    expect(notes[0]?.sha256).toBe(sha256(await store.get("findings/a.md")));
  });
});
