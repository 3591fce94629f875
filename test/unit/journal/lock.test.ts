import { cp, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Lock, takeLock } from "../../../src/engine/journal/lock.ts";
import { clock, errorOf, makeTestFolder } from "./support.ts";

interface LockFile {
  holder: { pid: number; started: string; boot: string; host: string };
  folder: { path: string; device: string; inode: string };
}

/** Takes the lock, and gives the notes that were said meanwhile. */
async function take(folder: string): Promise<{ lock: Lock; notes: string[] }> {
  const notes: string[] = [];
  const lock = await takeLock(folder, { clock, say: (line) => notes.push(line) });
  return { lock, notes };
}

async function changeLock(folder: string, change: (lock: LockFile) => void): Promise<void> {
  const path = join(folder, "lock");
  const lock = JSON.parse(await readFile(path, "utf8")) as LockFile;
  change(lock);
  await writeFile(path, JSON.stringify(lock));
}

test("a live holder is refused with its pid and what to do, also through another path to the folder", async () => {
  const folder = await makeTestFolder();
  const { lock } = await take(folder);
  const other = join(await makeTestFolder(), "link");
  await symlink(folder, other);
  for (const path of [folder, other]) {
    const error = await errorOf(() => take(path));
    expect(error).toMatchObject({ code: "run_locked", message: `The run is held by process ${process.pid}, which is alive.` });
    expect(error.hint).toContain("hypo stop");
  }
  await lock.release();
});

test("a folder that was moved while its holder lives stays locked", async () => {
  const folder = join(await makeTestFolder(), "run");
  await cp(await makeTestFolder(), folder, { recursive: true });
  await take(folder);
  await rename(folder, `${folder}-moved`);
  expect(await errorOf(() => take(`${folder}-moved`))).toMatchObject({ code: "run_locked" });
});

test("a released lock is gone, leaves nothing behind, and can be taken again without a note", async () => {
  const folder = await makeTestFolder();
  await (await take(folder)).lock.release();
  expect(await readdir(folder)).toEqual([]);
  const { lock, notes } = await take(folder);
  expect(notes).toEqual([]);
  await lock.release();
});

test.each<[string, (lock: LockFile) => void, RegExp]>([
  ["a pid that is not running", ({ holder }) => (holder.pid = 2 ** 22 + 1), /process 4194305, which has ended/],
  ["a pid that was used again", ({ holder }) => (holder.started = "1"), /which has ended/],
  ["another boot", ({ holder }) => (holder.boot = "0"), /which has ended/],
  ["the folder this one was copied from", ({ folder }) => (folder.inode = "1"), /copied from/],
])("a lock of %s is replaced with a note", async (_, change, note) => {
  const folder = await makeTestFolder();
  await take(folder);
  await changeLock(folder, change);
  const { lock, notes } = await take(folder);
  expect(notes).toEqual([expect.stringMatching(note)]);
  expect(await readdir(folder)).toEqual(["lock"]);
  expect(await errorOf(() => take(folder))).toMatchObject({ code: "run_locked" });
  await lock.release();
});

test.each(["", "{", '{"v":1}', "\0\0\0"])("a lock file that holds %j was never whole, and is replaced with a note", async (content) => {
  const folder = await makeTestFolder();
  await writeFile(join(folder, "lock"), content);
  const { notes } = await take(folder);
  expect(notes).toEqual(["Replaced the lock of nobody (it could not be read)."]);
});

test("a copy of a locked folder can be taken, and the original stays locked", async () => {
  const folder = await makeTestFolder();
  await take(folder);
  const copy = join(await makeTestFolder(), "copy");
  await cp(folder, copy, { recursive: true });
  expect((await take(copy)).notes).toEqual([expect.stringContaining(folder)]);
  expect(await errorOf(() => take(folder))).toMatchObject({ code: "run_locked" });
});

test("a lock of another machine is refused, since nobody can see from here whether it lives", async () => {
  const folder = await makeTestFolder();
  await take(folder);
  await changeLock(folder, ({ holder }) => (holder.host = "elsewhere.example"));
  const error = await errorOf(() => take(folder));
  expect(error.message).toContain("on elsewhere.example");
  expect(error.hint).toContain(`delete ${join(folder, "lock")}`);
});

test("a lock that someone else holds by now is not removed by its former holder", async () => {
  const folder = await makeTestFolder();
  const former = await take(folder);
  await changeLock(folder, ({ holder }) => (holder.pid = 2 ** 22 + 1));
  await take(folder);
  const now = await readFile(join(folder, "lock"), "utf8");
  await former.lock.release();
  expect(await readFile(join(folder, "lock"), "utf8")).toBe(now);
});

test("of many who try at once in one process, one gets the lock", async () => {
  const folder = await makeTestFolder();
  await writeFile(join(folder, "lock"), "stale");
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => take(folder)));
  expect(tries.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  expect(await readdir(folder)).toEqual(["lock"]);
});
