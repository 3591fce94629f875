import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/domain/hash.ts";
import { replayRunName } from "../../../src/sandbox/labels.ts";
import { execute, expectNothingLeft, openBench, withoutDocker, WRITE_METRICS, type Bench } from "./support/real-engine.ts";

const DATA = Buffer.from("1 2 3\n");
const GONE = (): Promise<Uint8Array | undefined> => Promise.resolve(undefined);
const PROGRAM = `
import json, os
noise = int.from_bytes(os.urandom(6), "big") / 2**48
total = sum(map(int, open("/work/data/numbers.txt").read().split()))
open("/out/noise.txt", "w").write(str(noise))
json.dump({"total": total, "near": 1 + noise, "far": noise}, open("/out/metrics.json", "w"))
`;
const PLAN = {
  data: [{ name: "numbers.txt", sha256: sha256(DATA), from: "project", path: "numbers.txt" }],
  metrics: [{ name: "total", type: "int" }, { name: "near", tolerance: 1 }, { name: "far" }],
  success_criterion: "metrics.total == 6",
  refutation_criterion: "metrics.total != 6",
};

describe.skipIf(withoutDocker)("a replay", () => {
  let bench: Bench;
  const experiment = "x-0000000001";
  beforeAll(async () => {
    bench = await openBench();
    await execute(bench, { script: PROGRAM, plan: PLAN, data: { "numbers.txt": DATA } });
  });

  const replay = (findData = GONE, planSha256?: string) =>
    bench.sandbox.replay({
      experiment,
      execution: 1,
      planSha256,
      findData,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });

  it("tells for each metric whether it is identical, within its registered tolerance or different, and counts as no execution", async () => {
    const record = await replay();
    expect(record.metrics.map(({ name, comparison }) => `${name} ${comparison}`)).toEqual([
      "total identical",
      "near within_tolerance",
      "far different",
    ]);
    expect(record).toMatchObject({
      replay: 1,
      reproduced: false,
      reason: "beyond the registered tolerance: far",
      replayed: { status: "completed", exit_code: 0, outcome: "met" },
      environment_differences: [],
    });
    expect(record.artifacts.map(({ path, comparison }) => `${path} ${comparison}`)).toEqual([
      "metrics.json different",
      "noise.txt different",
    ]);
    expect(JSON.parse(await readFile(join(bench.folder, experiment, "replays/1.json"), "utf8"))).toEqual(record);
    expect(await bench.sandbox.executions(experiment)).toEqual([1]);
    await expectNothingLeft(replayRunName(experiment));
  });

  it("of a program that gives the same is reproduced", async () => {
    const other = await openBench();
    await execute(other, { script: WRITE_METRICS });
    const request = { experiment, execution: 1, planSha256: undefined, findData: GONE, signal: new AbortController().signal };
    const record = await other.sandbox.replay({ ...request, onProgress: () => undefined });
    expect(record).toMatchObject({ reproduced: true, metrics: [{ name: "x", original: 0.5, replayed: 0.5, comparison: "identical" }] });
    expect(record.reason).toBeUndefined();
  });

  const changed = async (path: string, change: (text: string) => string, attempt: () => Promise<unknown>): Promise<void> => {
    const file = join(bench.folder, experiment, path);
    const before = await readFile(file, "utf8");
    await writeFile(file, change(before));
    try {
      await attempt();
    } finally {
      await writeFile(file, before);
    }
  };

  it.each([
    [
      "the program",
      "executions/1/source/main.py",
      (text: string) => `${text}#`,
      /stored file main\.py of execution 1 is not what was executed/,
    ],
    [
      "the registered tolerance",
      "plan.json",
      (text: string) => text.replace('"tolerance":1', '"tolerance":9'),
      /not the one that was registered/,
    ],
  ])("is refused where %s was changed since", async (_what, path, change, message) => {
    await changed(path, change, () =>
      expect(replay()).rejects.toMatchObject({ code: "replay_impossible", exitCode: 3, message: expect.stringMatching(message) }),
    );
  });

  it("is refused where the result is damaged, which says which file", async () => {
    await changed(
      "executions/1/result.json",
      (text) => text.slice(1),
      () =>
        expect(replay()).rejects.toMatchObject({
          code: "replay_impossible",
          exitCode: 3,
          message: expect.stringContaining("result.json is damaged"),
        }),
    );
  });

  it("is refused where the journal knows another plan", async () => {
    await expect(replay(GONE, "0".repeat(64))).rejects.toMatchObject({ code: "replay_impossible" });
  });

  it("never runs on another image than the one that was used", async () => {
    const id = /"image_id":"sha256:[0-9a-f]{64}"/;
    const swap = (text: string): string => text.replace(id, `"image_id":"sha256:${"0".repeat(64)}"`);
    await changed("executions/1/result.json", swap, () =>
      expect(replay()).rejects.toMatchObject({
        code: "image_unavailable",
        exitCode: 3,
        message: expect.stringContaining("is no longer on this engine"),
      }),
    );
  });

  it("takes data that the experiment no longer keeps from its place, and says so where it is gone or changed", async () => {
    await rm(join(bench.folder, experiment, "data"), { recursive: true });
    const gone = {
      code: "replay_impossible",
      message: expect.stringContaining("numbers.txt is gone: numbers.txt in the project no longer has it"),
    };
    await expect(replay()).rejects.toMatchObject(gone);
    await expect(replay(() => Promise.resolve(Buffer.from("9")))).rejects.toMatchObject({
      message: expect.stringContaining("holds something else now"),
    });
    expect((await replay(() => Promise.resolve(DATA))).replay).toBe(2);
  });

  it("of what never ran is no replay", async () => {
    const request = { experiment, execution: 7, planSha256: undefined, findData: GONE, signal: new AbortController().signal };
    await expect(bench.sandbox.replay({ ...request, onProgress: () => undefined })).rejects.toMatchObject({ code: "not_found" });
  });
});
