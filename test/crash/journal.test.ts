import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { HypoError } from "../../src/domain/errors.ts";
import { JOURNAL_CRASH_POINTS, type JournalCrashPoint } from "../../src/engine/journal/crash-points.ts";
import { Journal } from "../../src/engine/journal/journal.ts";
import { clock, collect, errorOf, journalFile, makeTestFolder, opened, seqs, started } from "../unit/journal/support.ts";

const writer = fileURLToPath(new URL("journal-writer.ts", import.meta.url));
const racer = fileURLToPath(new URL("journal-lock-racer.ts", import.meta.url));

/** Runs a script until it ends; gives its output and the signal that ended it. */
async function runScript(
  script: string,
  args: string[],
  killAfterMs?: number,
): Promise<{ output: string; errors: string; signal: string | null }> {
  const child = spawn(process.execPath, [script, ...args]);
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  if (killAfterMs !== undefined) {
    await once(child.stdout, "data");
    setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  }
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  return { output, errors, signal };
}

/** The highest fact that the writer called durable. */
function lastDurable(output: string): number {
  return Math.max(0, ...output.split("\n").slice(0, -1).map(Number));
}

/** Expects the facts to be a prefix of what an undisturbed writer makes, at least up to `durable`; gives its length. */
async function expectPrefix(folder: string, durable: number): Promise<number> {
  const journal = await Journal.open(folder, { clock });
  const facts = await collect(journal.ancestry("main"));
  await journal.close();
  expect(facts.map((fact) => fact.seq)).toEqual(facts.map((_, index) => index + 1));
  for (const fact of facts) expect(fact.data).toMatchObject({ prompt: expect.stringMatching(new RegExp(`^${fact.seq}:x*$`)) as string });
  expect(facts.length).toBeGreaterThanOrEqual(durable);
  return facts.length;
}

describe("a writer killed with kill -9", () => {
  test("never loses what it called durable, time after time", async () => {
    const folder = await makeTestFolder();
    let length = 0;
    for (const ms of [1, 5, 20, 50, 80, 120]) {
      const { output, signal } = await runScript(writer, [folder], ms);
      expect(signal).toBe("SIGKILL");
      const durable = lastDurable(output);
      expect(durable).toBeGreaterThan(length);
      length = await expectPrefix(folder, durable);
    }
  });

  const fresh = new Set<JournalCrashPoint>(["lock.before_take", "lock.taken", "journal.before_create", "journal.created"]);
  test.each(JOURNAL_CRASH_POINTS.filter((point) => fresh.has(point)))(
    "at %s of a new run leaves nothing that stands in the way",
    async (point) => {
      const folder = join(await makeTestFolder(), "run");
      expect(await runScript(writer, [folder, point])).toMatchObject({ output: "", errors: "", signal: "SIGKILL" });
      const { output } = await runScript(writer, [folder], 5);
      expect(await expectPrefix(folder, lastDurable(output))).toBeGreaterThan(0);
    },
  );

  test.each(JOURNAL_CRASH_POINTS.filter((point) => !point.endsWith("create") && point !== "journal.created"))(
    "at %s leaves a journal that opens with all that was durable, and goes on",
    async (point) => {
      const folder = await makeTestFolder();
      const first = lastDurable((await runScript(writer, [folder], 5)).output);
      await appendFile(journalFile(folder), '{"v":1,"seq":');
      const killed = await runScript(writer, [folder, point, point.endsWith("write") ? "3" : "1"]);
      expect(killed).toMatchObject({ errors: "", signal: "SIGKILL" });
      const length = await expectPrefix(folder, Math.max(first, lastDurable(killed.output)));
      expect(await readFile(join(folder, "journal.torn"), "utf8")).toMatch(/^(\{"v":1,"seq":\n){1,2}$/);
      const { output } = await runScript(writer, [folder], 5);
      expect(await expectPrefix(folder, lastDurable(output))).toBeGreaterThan(length);
    },
  );
});

describe("a lock that many processes want", () => {
  test("is held by one at a time, also when each that ends is killed with the lock in hand", async () => {
    const folder = await makeTestFolder();
    await writeFile(join(folder, "lock"), "stale");
    const racers = await Promise.all(Array.from({ length: 10 }, () => runScript(racer, [folder, "8"])));
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
    expect(await errorOf(() => big)).toMatchObject({ code: "storage_failed", hint: expect.stringContaining("Free some space") as string });
    const [error] = broken;
    expect(await errorOf(() => beside)).toBe(error);
    expect(await errorOf(() => journal.append("main", 3, [started("later")]))).toBe(error);
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
