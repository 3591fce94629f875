import { describe, expect, it } from "vitest";
import type { PairEnding } from "../../../src/sandbox/ending.ts";
import { statusOfEnding } from "../../../src/sandbox/results.ts";

const ENDING: PairEnding = { exitCode: 0, interference: undefined, outOfMemory: false, lost: undefined, artifacts: undefined };
const limits = { limits: { seconds: 1, memory_mb: 64, cpus: 1, pids: 8, output_mb: 1 } };

describe("the status of an execution", () => {
  it.each<[string, Partial<PairEnding>, string, RegExp]>([
    ["ended well", {}, "completed", /^no reason$/],
    ["ended well although a child ran out of memory", { outOfMemory: true }, "completed", /^no reason$/],
    ["ended with an error", { exitCode: 3 }, "failed", /exit code 3/],
    ["was ended by a signal of its own", { exitCode: 139 }, "failed", /signal 11/],
    ["was not found", { exitCode: 127 }, "failed", /a command was not found/],
    ["ran out of memory", { exitCode: 137, outOfMemory: true }, "out_of_memory", /64 MB/],
    ["ran out of time", { exitCode: 137, interference: "timed_out" }, "timed_out", /time limit/],
    ["ran out of time and memory", { exitCode: 137, outOfMemory: true, interference: "timed_out" }, "timed_out", /time limit/],
    ["wrote too much", { exitCode: 137, interference: "output_limit" }, "output_limit", /64 MB/],
    ["was cancelled", { exitCode: null, interference: "cancelled" }, "cancelled", /cancelled/],
    ["was lost", { exitCode: null, lost: "its containers were removed from outside" }, "interrupted", /from outside/],
  ])("that %s is told with its reason", (_what, ending, status, reason) => {
    const told = statusOfEnding({ ...ENDING, ...ending }, limits);
    expect(told.status).toBe(status);
    expect(told.reason ?? "no reason").toMatch(reason);
  });
});
