import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ExecutionResult, TestPlan } from "../../../src/domain/experiment.ts";
import { canonicalJson, hashOf, sha256 } from "../../../src/domain/hash.ts";
import { startResult } from "../../../src/sandbox/results.ts";
import { ExperimentStore } from "../../../src/sandbox/store.ts";

const plan = TestPlan.parse({
  hypothesis: "h-1",
  title: "t",
  method: "m",
  metrics: [{ name: "x" }],
  image: "i",
  success_criterion: "metrics.x < 1",
  refutation_criterion: "metrics.x > 1",
});

const RESULT = {
  ...startResult(
    {
      run: "r",
      branch: "main",
      agent: "root.1",
      call: "c",
      experiment: "x-1",
      confirmatory: true,
      execution: 1,
      plan,
      planSha256: hashOf(plan),
      code: {},
      codeSha256: "c",
      command: ["true"],
      data: {},
      signal: new AbortController().signal,
      onProgress: () => undefined,
    },
    new Map(),
    new Date(0),
  ),
  status: "completed",
};

const folders: string[] = [];
afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

async function makeStore(): Promise<ExperimentStore> {
  const folder = await mkdtemp(join(tmpdir(), "hypo-store-"));
  folders.push(folder);
  return new ExperimentStore(folder);
}

describe("stored executions", () => {
  it("are all listed, also where one of them is damaged, which is told where that one is read", async () => {
    const store = await makeStore();
    for (const execution of [1, 2, 3]) {
      await mkdir(join(store.folder, "x-1", "executions", String(execution)), { recursive: true });
      if (execution > 1) await writeFile(join(store.folder, "x-1", "executions", String(execution), "result.json"), "{");
    }
    expect(await store.executions("x-1")).toEqual([2, 3]);
    await expect(store.result("x-1", 3)).rejects.toMatchObject({ code: "storage_failed", message: expect.stringContaining("is damaged") });
  });
});

describe("a registered plan", () => {
  it("is stored as its canonical JSON, and storing it again changes nothing", async () => {
    const store = await makeStore();
    await store.savePlan("x-1", plan, hashOf(plan));
    await store.savePlan("x-1", plan, hashOf(plan));
    expect(await readFile(join(store.folder, "x-1", "plan.json"), "utf8")).toBe(canonicalJson(plan));
  });

  it("cannot be replaced by another, nor stored under a wrong hash", async () => {
    const store = await makeStore();
    await store.savePlan("x-1", plan, hashOf(plan));
    const other = { ...plan, success_criterion: "metrics.x < 2" };
    await expect(store.savePlan("x-1", other, hashOf(other))).rejects.toMatchObject({ code: "plan_invalid" });
    await expect(store.savePlan("x-2", plan, hashOf(other))).rejects.toMatchObject({ code: "plan_invalid" });
  });

  it("that was edited on disk is noticed", async () => {
    const store = await makeStore();
    await store.savePlan("x-1", plan, hashOf(plan));
    await writeFile(join(store.folder, "x-1", "plan.json"), canonicalJson({ ...plan, title: "edited" }));
    await expect(store.savePlan("x-1", plan, hashOf(plan))).rejects.toMatchObject({ code: "plan_invalid" });
  });
});

describe("a stored result", () => {
  it("is undefined where there is none", async () => {
    expect(await (await makeStore()).result("x-1", 1)).toBeUndefined();
  });

  it("that is damaged is an error that names the file", async () => {
    const store = await makeStore();
    await store.keepArtifact("x-1", 1, "../result.json", Buffer.from('{"v":1'));
    await expect(store.result("x-1", 1)).rejects.toMatchObject({
      code: "storage_failed",
      message: expect.stringContaining("result.json is damaged"),
    });
  });

  it("is not waited for where a pipe stands in its place", async () => {
    const store = await makeStore();
    const folder = join(store.folder, "x-1", "executions", "1");
    await mkdir(folder, { recursive: true });
    execFileSync("mkfifo", [join(folder, "result.json")]);
    expect(await store.executions("x-1")).toEqual([1]);
    await expect(store.result("x-1", 1)).rejects.toMatchObject({ code: "storage_failed", message: expect.stringContaining("result.json") });
  });

  it("is not replaced by a second one of the same execution, and its artefacts are never cut short", async () => {
    const store = await makeStore();
    const result = ExecutionResult.parse(RESULT);
    const logs = { stdout: Buffer.from("out"), stderr: Buffer.alloc(0) };
    await store.keepArtifact("x-1", 1, "a.txt", Buffer.from("whole"));
    await store.finish(result, logs);
    const reader = await open(join(store.folder, "x-1", "executions", "1", "artifacts", "a.txt"));
    await store.keepArtifact("x-1", 1, "a.txt", Buffer.from(""));
    expect(await reader.readFile("utf8")).toBe("whole");
    await reader.close();
    await store.finish({ ...result, status: "interrupted" }, logs);
    expect(await store.result("x-1", 1)).toEqual(result);
    expect((await readdir(join(store.folder, "x-1", "executions", "1"))).toSorted()).toEqual([
      "artifacts",
      "result.json",
      "stderr.log",
      "stdout.log",
    ]);
  });

  it("is never looked for outside its folder", async () => {
    await expect((await makeStore()).result("../x", 1)).rejects.toMatchObject({ code: "refused" });
  });
});

describe("beside an experiment", () => {
  const review = {
    experiment: "x-1",
    execution: 1,
    reviewer: "root.2",
    verdict: "supported" as const,
    outcome: "met" as const,
    disagrees: false,
    summary: "It holds.",
    limitations: [],
    at: "2026-01-01T00:00:00.000Z",
  };
  const replay = {
    v: 1 as const,
    experiment: "x-1",
    execution: 1,
    reproduced: true,
    plan_sha256: "p",
    code_sha256: "c",
    image_id: "i",
    original: { status: "completed" as const, exit_code: 0, outcome: "met" as const },
    replayed: { status: "completed" as const, exit_code: 0, outcome: "met" as const },
    metrics: [],
    artifacts: [],
    environment_differences: [],
    environment: {},
    stderr_tail: "",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: "2026-01-01T00:00:01.000Z",
  };

  it("reviews are appended, the same one once", async () => {
    const store = await makeStore();
    await store.saveReview(review);
    await store.saveReview(review);
    await store.saveReview({ ...review, summary: "Seen again." });
    const names = await readdir(join(store.folder, "x-1", "reviews"));
    expect(names).toHaveLength(2);
    expect(names.every((name) => name.startsWith("root.2-"))).toBe(true);
  });

  it("replays that end at the same time get numbers of their own", async () => {
    const store = await makeStore();
    const numbers = await Promise.all([1, 2, 3].map(async () => (await store.saveReplay(replay)).replay));
    expect(new Set(numbers)).toEqual(new Set([1, 2, 3]));
    expect((await readdir(join(store.folder, "x-1", "replays"))).toSorted()).toEqual(["1.json", "2.json", "3.json"]);
  });

  it("data of the project is kept by hash, and is as good as gone where it was changed", async () => {
    const store = await makeStore();
    const bytes = Buffer.from("1 2 3");
    const hash = sha256(bytes);
    const data = [
      { name: "a.txt", sha256: hash, from: "project" as const, path: "a.txt" },
      { name: "b.txt", sha256: sha256("b"), from: "source" as const },
    ];
    await store.keepData("x-1", { ...plan, data }, { "a.txt": bytes, "b.txt": Buffer.from("b") });
    expect(await readdir(join(store.folder, "x-1", "data"))).toEqual([hash]);
    expect(await store.keptData("x-1", hash)).toEqual(bytes);
    await writeFile(join(store.folder, "x-1", "data", hash), "9");
    expect(await store.keptData("x-1", hash)).toBeUndefined();
  });
});
