import { pack } from "tar-stream";
import type Docker from "dockerode";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/domain/ports.ts";
import { collectEnding } from "../../../src/sandbox/ending.ts";

const clock: Clock = { now: () => new Date(0), monotonic: () => 0, sleep: () => new Promise(() => undefined) };

function containerThat(isRunning: boolean): Docker.Container {
  const container = {
    id: "c",
    inspect: async () => ({ Created: "", State: { Running: isRunning, ExitCode: 0, OOMKilled: false, FinishedAt: "" } }),
    getArchive: async () => {
      const archive = pack();
      archive.entry({ name: "./a.txt" }, "half");
      archive.finalize();
      return archive;
    },
  };
  return container as unknown as Docker.Container;
}

describe("the ending of a payload", () => {
  const docker = { getEvents: () => Promise.reject(new Error("none")) } as unknown as Docker;
  const run = { docker, clock, keep: async () => undefined, bytesMax: 1024 * 1024 };

  it("that still runs is no completion, although the engine gives exit code 0 for it", async () => {
    expect(await collectEnding(run, containerThat(true), containerThat(true))).toMatchObject({
      exitCode: null,
      lost: "the engine no longer told when it ends",
      artifacts: undefined,
    });
  });

  it("that ended beside its keeper is its own", async () => {
    const ending = await collectEnding(run, containerThat(false), containerThat(true));
    expect(ending).toMatchObject({ exitCode: 0, lost: undefined, artifacts: { files: [{ path: "a.txt" }] } });
  });
});
