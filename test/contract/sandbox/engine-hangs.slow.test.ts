import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../../../src/domain/ports.ts";
import { startEngineProxy, type EngineProxy } from "./support/engine-proxy.ts";
import { execute, expectNothingLeft, openBench, realClock, withoutDocker, WRITE_METRICS } from "./support/real-engine.ts";

/** A clock on which whatever is waited for takes no longer than a moment from when `hasBegun` on. */
function clockThatHurries(hasBegun: () => boolean): Clock {
  const sleep: Clock["sleep"] = async (ms, signal) => {
    const end = performance.now() + ms;
    while (performance.now() < end && !hasBegun()) await realClock.sleep(50, signal);
    await realClock.sleep(Math.min(1000, Math.max(0, end - performance.now())), signal);
  };
  return { ...realClock, sleep };
}

describe.skipIf(withoutDocker)("a request to the engine", () => {
  let proxy: EngineProxy;
  beforeEach(async () => {
    proxy = await startEngineProxy();
  });
  afterEach(() => proxy.stop());

  it.each([
    ["to make the keeper", "POST /containers/create", 1, "docker_unavailable"],
    ["to make the payload", "POST /containers/create", 2, "docker_unavailable"],
    ["to take the inputs", "PUT /containers/ID/archive", 1, "docker_unavailable"],
    ["to attach", "POST /containers/ID/attach", 1, "docker_unavailable"],
    ["to start the payload", "POST /containers/ID/start", 2, "docker_unavailable"],
    ["to tell when the payload ended", "POST /containers/ID/wait", 1, "completed"],
    ["to tell how the payload ended", "GET /containers/ID/json", 1, "interrupted"],
    ["to tell what happened", "GET /events", 1, "interrupted"],
    ["to give the artefacts", "GET /containers/ID/archive", 1, "interrupted"],
    ["to remove the payload", "DELETE /containers/hypo", 1, "completed"],
  ])(
    "%s that is never answered holds an experiment up for a bounded time, and its connection no longer",
    async (_what, call, count, status) => {
      let seen = 0;
      let isHanging = false;
      proxy.before = (asked) => {
        if (!asked.startsWith(call)) return undefined;
        seen += 1;
        if (seen !== count) return undefined;
        // Not at once: the payload may have just been started.
        setTimeout(() => (isHanging = true), 1500);
        return new Promise(() => undefined);
      };
      const bench = await openBench({ dockerHost: proxy.host, clock: clockThatHurries(() => isHanging) });
      expect(await execute(bench, { script: WRITE_METRICS })).toMatchObject({ status });
      expect(isHanging).toBe(true);
      await expect.poll(() => proxy.open, { timeout: 10_000 }).toBe(0);
      isHanging = false;
      expect(await execute(bench, { script: WRITE_METRICS, execution: 2 })).toMatchObject({ status: "completed" });
      await expectNothingLeft(bench.run);
    },
  );

  it("for artefacts is let go where they are too many to be read to their end", async () => {
    const bench = await openBench({ dockerHost: proxy.host });
    const script = `${WRITE_METRICS}\nfor n in range(5): open(f"/out/{n}", "w").truncate(3 << 20)`;
    const result = await execute(bench, { script, plan: { limits: { output_mb: 4 } } });
    expect(result).toMatchObject({ status: "completed", limits_hit: [expect.stringContaining("what follows was not read")] });
    await expect.poll(() => proxy.open, { timeout: 10_000 }).toBe(0);
    await expectNothingLeft(bench.run);
  });

  it("for artefacts that breaks makes the execution interrupted, since that is no doing of the experiment", async () => {
    const bench = await openBench({ dockerHost: proxy.host });
    proxy.after = async (call) => {
      if (call !== "GET /containers/ID/archive") return;
      await proxy.stop();
      await delay(10);
      await proxy.start();
    };
    const result = await execute(bench, { script: WRITE_METRICS });
    expect(result).toMatchObject({ status: "interrupted", outcome: "not_evaluable", reason: expect.stringContaining("stopped answering") });
    proxy.after = () => undefined;
    expect(await execute(bench, { script: WRITE_METRICS, execution: 2 })).toMatchObject({ status: "completed" });
    await expectNothingLeft(bench.run);
  });
});
