import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { HypoError } from "../../src/domain/errors.ts";
import { Journal } from "../../src/engine/journal/journal.ts";
import { clock, errorOf, journalFile, makeTestFolder, opened, seqs, started } from "../unit/journal/support.ts";
import { expectPrefix, lastDurable, racer, runScript, writer } from "./journal-processes.ts";

describe("a writer killed with kill -9", () => {
  test("never loses what it called durable, time after time", async () => {
    const folder = await makeTestFolder();
    let length = 0;
    for (const ms of [1, 7, 20, 50]) {
      const { output, signal } = await runScript(writer, [folder], ms);
      expect(signal).toBe("SIGKILL");
      const durable = lastDurable(output);
      expect(durable).toBeGreaterThan(length);
      length = await expectPrefix(folder, durable);
    }
  });
});

describe("a lock that many processes want", () => {
  test("is held by one at a time, also when each that ends is killed with the lock in hand", async () => {
    const folder = await makeTestFolder();
    await writeFile(join(folder, "lock"), "stale");
    const racers = await Promise.all(Array.from({ length: 8 }, () => runScript(racer, [folder, "6"])));
    for (const { errors, signal } of racers) expect({ errors, signal }).toEqual({ errors: "", signal: "SIGKILL" });
    expect((await readdir(folder)).filter((name) => name !== "lock")).toEqual([]);
  });

  test("is refused to a second process while the first writes", async () => {
    const folder = await makeTestFolder();
    const child = spawn(process.execPath, [writer, folder]);
    await once(child.stdout, "data");
    const error = await errorOf(() => Journal.open(folder, { clock }));
    expect(error).toMatchObject({ code: "run_locked" });
    expect(error.message).toContain(`process ${child.pid}`);
    const reading = await Journal.read(folder);
    expect(reading.heads.get("main")).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await once(child, "close");
    await opened(Journal.open(folder, { clock }));
  });
});

const canMount = process.platform === "linux" && process.getuid?.() === 0 && triesMount();

describe.skipIf(!canMount)("a disk that is full (needs root, to mount a small one)", () => {
  test("ends the journal for good, tells everyone, and keeps what was durable", async () => {
    const disk = await mountSmallDisk();
    const broken: HypoError[] = [];
    const journal = await opened(Journal.create(disk, { clock, onBroken: (error) => broken.push(error) }));
    await journal.append("main", 0, [started("kept")]).durable;
    const big = journal.append("main", 1, [started("x".repeat(2 << 20))]).durable;
    const beside = journal.append("main", 2, [started("beside")]).durable;
    void journal.append("main", 3, [started("nobody waits for this")]);
    expect(await errorOf(() => big)).toMatchObject({ code: "storage_failed", hint: expect.stringContaining("Free some space") as string });
    const [error] = broken;
    expect(await errorOf(() => beside)).toBe(error);
    expect(await errorOf(() => journal.append("main", 4, [started("later")]))).toBe(error);
    expect(await errorOf(() => journal.moveBranch("other", 1, undefined, "later"))).toBe(error);
    expect(await errorOf(() => journal.flush())).toBe(error);
    expect(broken).toHaveLength(1);
    await journal.close();
    expect((await stat(journalFile(disk))).size).toBeGreaterThan(1000);
    expect(await seqs((await Journal.read(disk)).allFacts())).toEqual([1]);
  });

  test("keeps the torn end in the journal until there is room to move it", async () => {
    const disk = await mountSmallDisk();
    const journal = await Journal.create(disk, { clock });
    await journal.append("main", 0, [started("kept")]).durable;
    await errorOf(() => journal.append("main", 1, [started("x".repeat(2 << 20))]).durable);
    await journal.close();
    const before = await readFile(journalFile(disk));
    expect(await errorOf(() => Journal.open(disk, { clock }))).toMatchObject({ code: "storage_failed" });
    expect(await readFile(journalFile(disk))).toEqual(before);
    execFileSync("mount", ["-o", "remount,size=4m", disk]);
    const again = await opened(Journal.open(disk, { clock }));
    expect(await seqs(again.ancestry("main"))).toEqual([1]);
    await again.append("main", 1, [started("after")]).durable;
  });
});

/** A disk of 1 MB that is gone when the test has ended. */
async function mountSmallDisk(): Promise<string> {
  const disk = join(await makeTestFolder(), "disk");
  await mkdir(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
  onTestFinished(() => void execFileSync("umount", ["-l", disk]));
  return disk;
}

function triesMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
