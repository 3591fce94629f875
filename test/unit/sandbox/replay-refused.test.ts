import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ExecutionResult } from "../../../src/domain/experiment.ts";
import { replayOnce } from "../../../src/sandbox/replay.ts";
import { ExperimentStore } from "../../../src/sandbox/store.ts";

it.each(["docker_unavailable", "image_unavailable", "interrupted", "cancelled"])(
  "an execution that is %s cannot be replayed, also where its image was found",
  async (status) => {
    const folder = await mkdtemp(join(tmpdir(), "hypo-replay-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const store = new ExperimentStore(folder);
    const printed = { stdout_head: "", stdout_tail: "", stderr_head: "", stderr_tail: "", stdout_bytes: 0, stderr_bytes: 0 };
    const place = { v: 1, experiment: "x-1", execution: 1, confirmatory: true, command: ["true"], image: "i", image_id: "sha256:1" };
    const end = { status, exit_code: null, outcome: "not_evaluable", limits_hit: [], environment: {}, files: [], artifacts: [] };
    const times = { started_at: "2026-03-01T12:00:00.000Z", ended_at: "2026-03-01T12:00:01.000Z" };
    const result = ExecutionResult.parse({ ...place, ...end, ...printed, ...times, plan_sha256: "p", code_sha256: "c" });
    await store.finish(result, { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) });
    const request = {
      experiment: "x-1",
      execution: 1,
      planSha256: undefined,
      findData: () => Promise.resolve(undefined),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    await expect(replayOnce({ store, allowedImages: [] } as never, request)).rejects.toMatchObject({
      code: "replay_impossible",
      message: `Execution 1 of x-1 is ${status}: it never came to an end that could be repeated.`,
    });
  },
);
