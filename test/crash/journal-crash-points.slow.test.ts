import { appendFile, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JOURNAL_CRASH_POINTS, type JournalCrashPoint } from "../../src/engine/journal/crash-points.ts";
import { Journal } from "../../src/engine/journal/journal.ts";
import { clock, journalFile, makeTestFolder, opened } from "../unit/journal/support.ts";
import { expectPrefix, lastDurable, runScript, writer } from "./journal-processes.ts";

describe("a writer killed with kill -9", () => {
  let crashed: string;
  let crashedDurable: number;

  beforeAll(async () => {
    crashed = await mkdtemp(join(tmpdir(), "hypo-crashed-"));
    crashedDurable = lastDurable((await runScript(writer, [crashed], 1)).output);
  });
  afterAll(() => rm(crashed, { recursive: true }));

  test.each<JournalCrashPoint>(["lock.before_take", "lock.taken", "journal.before_create"])(
    "at %s of a new run leaves nothing that stands in the way",
    async (point) => {
      const folder = join(await makeTestFolder(), "run");
      expect(await runScript(writer, [folder, point])).toMatchObject({ output: "", errors: "", signal: "SIGKILL" });
      await opened(Journal.create(folder, { clock }));
    },
  );

  test("at journal.created of a new run leaves a whole journal", async () => {
    const folder = join(await makeTestFolder(), "run");
    expect(await runScript(writer, [folder, "journal.created"])).toMatchObject({ output: "", errors: "", signal: "SIGKILL" });
    expect(await expectPrefix(folder, 0)).toBe(1);
  });

  test.each(JOURNAL_CRASH_POINTS.filter((point) => !point.startsWith("journal.before_create") && point !== "journal.created"))(
    "at %s of a run with a stale lock and a torn end leaves a journal with all that was durable",
    async (point) => {
      const folder = await makeTestFolder();
      await cp(crashed, folder, { recursive: true });
      await appendFile(journalFile(folder), '{"v":1,"seq":');
      const killed = await runScript(writer, [folder, point, point.endsWith("write") ? "3" : "1"]);
      expect(killed).toMatchObject({ errors: "", signal: "SIGKILL" });
      await expectPrefix(folder, Math.max(crashedDurable, lastDurable(killed.output)));
      expect(await readFile(join(folder, "journal.torn"), "utf8")).toMatch(/^(\{"v":1,"seq":\n){1,2}$/);
    },
  );
});
