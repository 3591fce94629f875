import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTemporaryMemory, noteFile, type TemporaryMemory } from "./temporary-memory.ts";

let store: TemporaryMemory;
beforeEach(async () => {
  store = await makeTemporaryMemory(60_000);
  for (const name of ["a", "b", "c"]) await store.put(`findings/${name}.md`, noteFile(`f-${name}`, `owls ${name}`));
});
afterEach(() => store.remove());

const idsFor = async (text: string) => (await store.memory.search({ text, limit: 500 })).map(({ id }) => id).toSorted();

describe("a note", () => {
  it.each([
    ["Chinese without a space", "缓存可以减少数据库".repeat(12_000), "数据库"],
    ["Thai without a space", "การวิเคราะห์".repeat(14_000), "การวิเคราะห์"],
    ["an encoded picture", "aBcD1Ef/gHi+".repeat(30_000), "abcd1ef"],
  ])("of a hundred thousand tokens in one word, %s, is found like others", async (_, text, query) => {
    await store.put("findings/long.md", noteFile("f-long", "Long").replace(/Long\n$/, `${text}\n`));
    expect(await idsFor(query)).toEqual(["f-long"]);
    expect(await idsFor("owls")).toEqual(["f-a", "f-b", "f-c"]);
  });
});

describe("a query", () => {
  it.each([
    ["alternatives", "run:a ".repeat(1600), []],
    ["exclusions", `owls ${"-run:a ".repeat(1400)}`, ["f-a", "f-b", "f-c"]],
    ["alternatives, one of which is met", `owls ${"type:a ".repeat(1400)} type:fact`, ["f-a", "f-b", "f-c"]],
  ])("may hold a thousand filters: %s", async (_, text, ids) => {
    expect(await idsFor(text)).toEqual(ids);
  });
});

describe("an index that has given all its numbers to notes", () => {
  const useUp = (left: number) => {
    const database = new Database(join(store.folder, "index.sqlite"));
    database.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'notes'").run(2 ** 26 - 1 - left);
    database.close();
  };
  const highest = (): unknown => {
    const database = new Database(join(store.folder, "index.sqlite"), { readonly: true });
    const note: unknown = database.prepare("SELECT max(note) FROM notes").pluck().get();
    database.close();
    return note;
  };

  it("numbers them anew when a file changes", async () => {
    expect(await idsFor("owls")).toHaveLength(3);
    useUp(2);
    await store.put("findings/d.md", noteFile("f-d", "owls d"));
    expect(await idsFor("owls")).toEqual(["f-a", "f-b", "f-c", "f-d"]);
    expect(highest()).toBe(4);
  });

  it("numbers all of them anew when memory itself writes one", async () => {
    expect(await idsFor("owls")).toHaveLength(3);
    useUp(0);
    await store.memory.add({ type: "lesson", title: "Owls", statement: "Owls." }, "0123456789");
    expect(highest()).toBe(4);
    expect(await idsFor("owls")).toEqual(["f-a", "f-b", "f-c", "l-0123456789"]);
  });
});
