import { execFile, spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTemporaryMemory, noteFile, type TemporaryMemory } from "./temporary-memory.ts";

const script = (name: string) => fileURLToPath(new URL(`./scripts/${name}`, import.meta.url));

let store: TemporaryMemory;
beforeEach(async () => {
  store = await makeTemporaryMemory();
  await store.put("findings/a.md", noteFile("f-1", "Owls hunt at night"));
});
afterEach(() => store.remove());

/** How many notes the index holds, once it has been searched. */
async function countIndexed(): Promise<number> {
  expect((await store.memory.search({ text: "owls", limit: 5 })).length).toBe(5);
  return (await store.memory.list()).length;
}

/** Starts a script, waits until it says that it has begun, and kills it so many milliseconds later. */
async function killAfter(delay: number, name: string, args: string[]): Promise<void> {
  const child = spawn(process.execPath, [script(name), store.folder, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  await sleep(delay);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
}

describe("processes that are killed", () => {
  it("while they write leave whole notes and a usable index", async () => {
    // A few notes wait to be merged into the index together: some are killed before that, some after.
    for (const delay of [0, 15, 40, 350, 500, 650]) {
      await killAfter(delay, "write-memory.mjs", [`k${delay}`, "5000"]);
      const { notes, broken } = await store.memory.check();
      expect(broken).toEqual([]);
      expect(notes).toBe((await readdir(join(store.folder, "memory/findings"))).filter((name) => name.endsWith(".md")).length);
    }
    expect(store.said.filter((line) => line.includes("damaged"))).toEqual([]);
    const ask = { text: "cache 7", limit: 5000 };
    const followed = await store.memory.search(ask);
    await store.memory.rebuild();
    expect(await store.memory.search(ask)).toEqual(followed);
  });

  it("while they rebuild leave the index as it was, and the next rebuild completes it", async () => {
    for (let index = 0; index < 400; index++)
      await store.put(`findings/n${index}.md`, noteFile(`f-n${index}`, `Owls ${"cache ".repeat(50)}`));
    expect(await countIndexed()).toBe(401);
    // The first look at a folder of notes says that it indexed them.
    store.said.length = 0;
    for (const delay of [0, 10, 50, 150]) {
      await killAfter(delay, "rebuild-memory.mjs", []);
      expect(await countIndexed()).toBe(401);
      expect(await store.memory.check()).toMatchObject({ notes: 401, broken: [] });
    }
    await store.memory.rebuild();
    expect(await countIndexed()).toBe(401);
    expect(store.said.filter((line) => /damaged|missing/.test(line))).toEqual([]);
  });
});

describe("several processes", () => {
  it("search while others rebuild, and each finds everything", async () => {
    for (let index = 0; index < 150; index++)
      await store.put(`findings/n${index}.md`, noteFile(`f-n${index}`, `Owls ${"cache ".repeat(50)}`));
    const run = promisify(execFile);
    const searches = [1, 2].map(() => run(process.execPath, [script("search-memory.mjs"), store.folder, "owls", "10"]));
    for (let round = 0; round < 3; round++) await store.memory.rebuild();
    for (const { stdout } of await Promise.all(searches)) expect(JSON.parse(stdout)).toEqual(Array.from({ length: 10 }, () => 151));
  });
});
