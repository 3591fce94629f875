import { execFile } from "node:child_process";
import { readdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
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

  it("follows the files from whatever folder the process is in", async () => {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    for (const [at, folder] of [tmpdir(), store.folder, join(store.folder, "memory", "findings"), "/"].entries()) {
      process.chdir(folder);
      await store.put("findings/a.md", noteFile("f-1", `Owls hunt at night, ${"seen ".repeat(at)}word${at}`));
      expect(await count(`word${at}`)).toBe(1);
      expect(await count("owls")).toBe(1);
    }
    expect(store.said).toEqual([expect.stringContaining("was missing")]);
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

  it.each([
    ["postings", "entries"],
    ["vectors", "tokens"],
    ["frequencies", "counts"],
    ["lengths", "counts"],
  ])("is built anew where %s hold what was never written", async (table, column) => {
    for (let index = 0; index < 100; index++) await store.put(`findings/n${index}.md`, noteFile(`f-n${index}`, `owls ${index % 7}`));
    const ask = { text: "owls 3", limit: 200 };
    const before = await store.memory.search(ask);
    await store.memory.close();
    store.said.length = 0;
    withDatabase((database) => database.prepare(`UPDATE ${table} SET ${column} = ?`).run(Buffer.alloc(5000, 255)));
    expect(await store.reopen().search(ask)).toEqual(before);
    expect(store.said).toEqual([expect.stringMatching(/^The memory index was damaged .*; it was built anew from 101 notes\.$/)]);
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

describe("files that have settled", () => {
  let settled: TemporaryMemory;
  beforeEach(async () => {
    settled = await makeTemporaryMemory(60_000);
    for (const name of ["a", "b", "c"]) await settled.put(`findings/${name}.md`, noteFile(`f-${name}`, `owls ${name}`));
    await settled.memory.list();
  });
  afterEach(() => settled.remove());

  const listing = (): unknown => {
    const database = new Database(join(settled.folder, "index.sqlite"), { readonly: true });
    const digest: unknown = database.prepare("SELECT listing FROM totals").pluck().get();
    database.close();
    return digest;
  };
  const found = async (text: string) => (await settled.reopen().search({ text, limit: 9 })).map(({ id }) => id).toSorted();

  it("are known by one digest, which a note written by memory itself outdates until the next look", async () => {
    const digest = listing();
    expect(digest).toMatch(/^\d+:[\d.]+:\d+:\d+$/);
    await settled.memory.add({ type: "lesson", title: "Owls", statement: "Owls." }, "0123456789");
    expect(listing()).toBeNull();
    expect(await found("owls")).toEqual(["f-a", "f-b", "f-c", "l-0123456789"]);
    expect(listing()).toMatch(/^\d+:[\d.]+:\d+:\d+$/);
    expect(listing()).not.toBe(digest);
  });

  it.each([
    ["edited in place, at the same length", () => settled.put("findings/b.md", noteFile("f-b", "bats b")), ["f-a", "f-c"]],
    ["removed", () => rm(join(settled.folder, "memory/findings/b.md")), ["f-a", "f-c"]],
    [
      "renamed",
      () => rename(join(settled.folder, "memory/findings/b.md"), join(settled.folder, "memory/findings/z.md")),
      ["f-a", "f-b", "f-c"],
    ],
    ["joined by another", () => settled.put("findings/d.md", noteFile("f-d", "owls d")), ["f-a", "f-b", "f-c", "f-d"]],
    ["replaced by a link", () => replaceByLink(), ["f-a", "f-c"]],
  ])("are looked at again where one is %s", async (_, edit, ids) => {
    expect(await found("owls")).toEqual(["f-a", "f-b", "f-c"]);
    await edit();
    expect(await found("owls")).toEqual(ids);
    expect((await settled.memory.list()).map(({ path }) => path).toSorted()).toEqual(await pathsOfNotes());
  });

  async function replaceByLink(): Promise<void> {
    await rm(join(settled.folder, "memory/findings/b.md"));
    await symlink("a.md", join(settled.folder, "memory/findings/b.md"));
  }

  async function pathsOfNotes(): Promise<string[]> {
    const entries = await readdir(join(settled.folder, "memory/findings"), { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => `findings/${name}`);
  }
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
