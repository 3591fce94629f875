import { loadavg } from "node:os";
import { describe, expect, it } from "vitest";
import { executeElsewhere } from "./support/elsewhere.ts";
import { execute, expectNothingLeft, openBench, processesOf, requestFor, withoutDocker, WRITE_METRICS } from "./support/real-engine.ts";

describe.skipIf(withoutDocker)("many experiments", () => {
  it("a hundred at eight at once are all there with their own results, and leave nothing", { timeout: 1_800_000 }, async () => {
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

  it("run by two processes with projects of their own disturb one another in nothing", { timeout: 600_000 }, async () => {
    const benches = await Promise.all([openBench(), openBench()]);
    const statuses = await Promise.all(
      benches.map((bench) => {
        const requests = [1, 2, 3, 4].map((execution) =>
          requestFor(bench, { script: `import time; time.sleep(0.5)\n${WRITE_METRICS}`, execution }),
        );
        return executeElsewhere(bench, requests);
      }),
    );
    expect(statuses).toEqual(benches.map(() => ["completed", "completed", "completed", "completed"]));
    for (const { run } of benches) await expectNothingLeft(run);
  });
});
