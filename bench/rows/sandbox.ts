import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { IMAGE } from "../fixtures/experiment.ts";
import { contenderFile } from "../harness/contender-file.ts";
import { measureNode } from "../harness/measure.ts";
import type { Bench, Row, Side } from "../harness/row.ts";

export const sandbox: Row = {
  name: "sandbox",
  title: "Sandbox: an experiment's round trip",
  caveat:
    "From files in memory to metrics and files read back: median of one round while so many are under way. `docker run --rm` has " +
    "the same limits, seccomp profile and user, with bind mounts for inputs and outputs, so it only works beside its engine, does not bound " +
    "the number of files, and leaves no record; hypo makes volumes that are bounded, a second container that outlives a killed " +
    "hypo, and stores environment, hashes and logs with fsync. Processor time and memory are those of the program that waits, " +
    "without docker's client and engine.",
  async measure(bench) {
    const obstacle = findObstacle();
    if (obstacle !== undefined) return bench.skip("round trips", obstacle);
    for (const { width, atMost } of [
      { width: 1, atMost: 1.5 },
      { width: 8, atMost: 1.4 },
    ]) {
      const times = bench.quick ? width : Math.max(5, 2 * width);
      const what = width === 1 ? "round trip, one at a time" : `round trip, ${width} at once`;
      await bench.compare({
        hypo: side(bench, "hypo", "sandbox-execute", times, width),
        others: [side(bench, "docker run --rm", "sandbox-docker-run", times, width)],
        measures: [{ what, unit: "ms", of: ({ figures }) => figures["roundMs"], goal: { on: "ratio", atMost } }],
      });
    }
  },
};

function side(bench: Bench, name: string, script: string, times: number, width: number): Side {
  return {
    name,
    run: () => measureNode([contenderFile(script), mkdtempSync(join(bench.folder, "experiments-")), String(times), String(width)]),
  };
}

function findObstacle(): string | undefined {
  try {
    execFileSync("docker", ["image", "inspect", IMAGE], { stdio: "ignore" });
    return undefined;
  } catch {
    return `no Docker engine with the image ${IMAGE} answers; \`npm run setup:docker\` brings both`;
  }
}
