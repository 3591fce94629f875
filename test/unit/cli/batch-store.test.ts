import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { BatchItem } from "../../../src/cli/batch/batch-line.ts";
import { BatchStore } from "../../../src/cli/batch/batch-store.ts";
import type { Project } from "../../../src/cli/project/project.ts";

const item = (id: string, question = "Why?"): BatchItem => ({ id, line: 1, question, sets: {} });

let project: Project;
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "hypo store é "));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  project = { root, state: join(root, ".hypo") };
});

const open = (file = "q.txt"): Promise<BatchStore> => BatchStore.open(project, join(project.root, file));

/** Opens the store of the batch, and closes it again. */
async function withStore<T>(use: (store: BatchStore) => T | Promise<T>): Promise<T> {
  const store = await open();
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

describe("what a batch remembers", () => {
  it("is which run each line was given last, also for the next process", async () => {
    await withStore(async (store) => {
      await store.assign(item("a"), "run-1");
      await store.assign(item("b"), "run-2");
      await store.assign(item("a"), "run-3");
    });
    expect(await withStore((store) => ["a", "b", "c"].map((id) => store.runOf(item(id))))).toEqual(["run-3", "run-2", undefined]);
  });

  it("is which lines have a run, also for who only looks", async () => {
    const file = join(project.root, "q.txt");
    expect(await BatchStore.begun(undefined, file)).toEqual(new Set());
    expect(await BatchStore.begun(project, file)).toEqual(new Set());
    expect(existsSync(project.state)).toBe(false);
    await withStore((store) => store.assign(item("a"), "run-1"));
    expect(await BatchStore.begun(project, file)).toEqual(new Set(["a"]));
  });

  it("is kept apart for each file", async () => {
    await withStore((store) => store.assign(item("a"), "run-1"));
    const other = await open("sub/q.txt");
    expect(other.runOf(item("a"))).toBeUndefined();
    await other.close();
  });

  it("survives a line that a crash cut off, and goes on after it", async () => {
    const path = await withStore(async (store) => {
      await store.assign(item("a"), "run-1");
      return join(store.folder, "runs.jsonl");
    });
    appendFileSync(path, '{"v":1,"item":"b","ru');
    await withStore(async (store) => {
      expect([store.runOf(item("a")), store.runOf(item("b"))]).toEqual(["run-1", undefined]);
      await store.assign(item("b"), "run-2");
    });
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3);
    expect(await withStore((store) => store.runOf(item("b")))).toBe("run-2");
  });

  it("is refused where a whole line is not what was written, and where an id stands for another question now", async () => {
    const path = await withStore(async (store) => {
      await store.assign(item("a"), "run-1");
      expect(() => store.refuseOtherQuestions([item("a"), item("new")])).not.toThrow();
      expect(() => store.refuseOtherQuestions([item("a", "How?")])).toThrow(/line 1: "a" stood for another question/);
      return join(store.folder, "runs.jsonl");
    });
    appendFileSync(path, "something\n");
    await expect(open()).rejects.toMatchObject({ code: "batch_invalid", message: expect.stringContaining("line 2") });
  });

  it("is used by one process at a time", async () => {
    await withStore(async () => {
      await expect(open()).rejects.toMatchObject({ code: "run_locked", message: expect.stringContaining(String(process.pid)) });
    });
  });
});
