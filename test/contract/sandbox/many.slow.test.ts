import { loadavg } from "node:os";
import { describe, expect, it } from "vitest";
import { execute, expectNothingLeft, openBench, processesOf, withoutDocker, WRITE_METRICS } from "./support/real-engine.ts";

describe.skipIf(withoutDocker)("a hundred experiments at eight at once", () => {
  it("are all there with their own results, and leave nothing", { timeout: 1_800_000 }, async () => {
    const bench = await openBench({ experiment: { concurrency: 8 } });
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) => execute(bench, { script: `print(${index})\n${WRITE_METRICS}`, experiment: `x-${index}` })),
    );
    expect(results.map(({ status, stdout_head }) => `${status} ${stdout_head}`)).toEqual(results.map((_, index) => `completed ${index}\n`));
    await expectNothingLeft(bench.run);
    const left = await Promise.all(results.map(({ environment }) => processesOf(Number(environment["uid"]))));
    expect(left.flat()).toEqual([]);
    expect(loadavg()[0]).toBeLessThan(200);
  });

  it("run by two processes' worth of sandboxes at once, disturb one another in nothing", async () => {
    const benches = await Promise.all([openBench(), openBench()]);
    const results = await Promise.all(
      benches.flatMap((bench) =>
        [1, 2, 3].map((execution) => execute(bench, { script: `print("${bench.run}")\n${WRITE_METRICS}`, execution })),
      ),
    );
    expect(results.map(({ status, stdout_head }) => `${status} ${stdout_head}`)).toEqual(
      benches.flatMap(({ run }) => [1, 2, 3].map(() => `completed ${run}\n`)),
    );
    for (const { run } of benches) await expectNothingLeft(run);
  });
});
