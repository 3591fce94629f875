import { execFile } from "node:child_process";
import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTemporaryMemory, noteFile, type TemporaryMemory } from "./temporary-memory.ts";

const SEARCH_MEMORY = fileURLToPath(new URL("./scripts/search-memory.mjs", import.meta.url));
const WRITE_MEMORY = fileURLToPath(new URL("./scripts/write-memory.mjs", import.meta.url));

let store: TemporaryMemory;
beforeEach(async () => {
  store = await makeTemporaryMemory();
  await store.put("findings/a.md", noteFile("f-1", "Owls hunt at night"));
});
afterEach(() => store.remove());

const count = async (text: string) => (await store.memory.search({ text, limit: 1000 })).length;
const indexFile = () => join(store.folder, "index.sqlite");

describe("the index file", () => {
  it("is not made before memory is first asked", async () => {
    expect(await readdir(store.folder)).toEqual(["memory"]);
    expect(await count("owls")).toBe(1);
    expect(await readdir(store.folder)).toContain("index.sqlite");
  });

  it("can be deleted at any moment, also while memory is open", async () => {
    expect(await count("owls")).toBe(1);
    for (const suffix of ["", "-wal", "-shm"]) await rm(indexFile() + suffix, { force: true });
    expect(await count("owls")).toBe(1);
    expect(store.said.at(-1)).toBe("The memory index was missing; it was built anew from 1 notes.");
  });

  it.each([
    ["no database", () => writeFile(indexFile(), "not a database ".repeat(1000))],
    ["cut short", () => truncate(indexFile(), 5000)],
    [
      "full of wrong bytes",
      async () => {
        const bytes = await readFile(indexFile());
        await writeFile(indexFile(), bytes.fill(0xa5, 4096));
      },
    ],
    ["without its tables", async () => withDatabase((database) => database.exec("DROP TABLE notes"))],
    [
      "another program's",
      async () => {
        await rm(indexFile());
        withDatabase((database) => database.exec("CREATE TABLE other (x)"));
      },
    ],
    ["a newer version's", async () => withDatabase((database) => database.pragma("user_version = 999"))],
  ])("is built anew, with one line said, where it is %s", async (_, damage) => {
    expect(await count("owls")).toBe(1);
    await store.memory.close();
    store.said.length = 0;
    await damage();
    const memory = store.reopen();
    expect(await memory.search({ text: "owls", limit: 9 })).toHaveLength(1);
    expect(await memory.search({ text: "owls", limit: 9 })).toHaveLength(1);
    expect(store.said).toEqual([expect.stringMatching(/^The memory index was .*; it was built anew from 1 notes\.$/)]);
  });

  function withDatabase(work: (database: Database.Database) => unknown): void {
    const database = new Database(indexFile());
    work(database);
    database.close();
  }

  it("is rebuilt on request, saying how far it is", async () => {
    for (let index = 0; index < 100; index++) await store.put(`findings/n${index}.md`, noteFile(`f-n${index}`, "owls"));
    const progress: [number, number][] = [];
    await store.memory.rebuild((done, total) => progress.push([done, total]));
    expect(progress[0]).toEqual([0, 101]);
    expect(progress.at(-1)).toEqual([101, 101]);
    expect(await count("owls")).toBe(101);
  });
});

describe("several processes", () => {
  it("search while another indexes", async () => {
    for (let index = 0; index < 40; index++)
      await store.put(`findings/n${index}.md`, noteFile(`f-n${index}`, `Owls ${"cache ".repeat(50)}`));
    const run = promisify(execFile);
    const searches = [1].map(() => run(process.execPath, [SEARCH_MEMORY, store.folder, "owls", "4"]));
    for (let round = 0; round < 2; round++) await store.memory.rebuild();
    for (const { stdout } of await Promise.all(searches)) expect(JSON.parse(stdout)).toEqual(Array.from({ length: 4 }, () => 41));
  });

  it("write at once and lose nothing", async () => {
    const run = promisify(execFile);
    await Promise.all(["a", "b", "c"].map((prefix) => run(process.execPath, [WRITE_MEMORY, store.folder, prefix, "8"])));
    expect(await count("cache")).toBe(24);
    expect(await store.memory.check()).toMatchObject({ notes: 25, broken: [] });
  });
});
