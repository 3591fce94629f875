import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { TestPlan } from "../../../src/domain/experiment.ts";
import { canonicalJson, hashOf } from "../../../src/domain/hash.ts";
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

const folders: string[] = [];
afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

async function makeStore(): Promise<ExperimentStore> {
  const folder = await mkdtemp(join(tmpdir(), "hypo-store-"));
  folders.push(folder);
  return new ExperimentStore(folder);
}

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

  it("is never looked for outside its folder", async () => {
    await expect((await makeStore()).result("../x", 1)).rejects.toMatchObject({ code: "refused" });
  });
});
