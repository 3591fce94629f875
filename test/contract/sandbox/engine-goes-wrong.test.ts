import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setTimeout as delay } from "node:timers/promises";
import { startEngineProxy, type EngineProxy } from "./support/engine-proxy.ts";
import { execute, expectNothingLeft, leftOf, openBench, realClock, withoutDocker, WRITE_METRICS } from "./support/real-engine.ts";

describe.skipIf(withoutDocker)("an engine", () => {
  let proxy: EngineProxy;
  beforeEach(async () => {
    proxy = await startEngineProxy();
  });
  afterEach(() => proxy.stop());

  it("that stops while an experiment runs leaves it interrupted, and what is left goes when it is back", async () => {
    const bench = await openBench({ dockerHost: proxy.host });
    const onProgress = (message: string): void => {
      if (message.includes("running")) void proxy.stop();
    };
    const result = await execute(bench, { script: "import time; time.sleep(60)", onProgress });
    expect(result).toMatchObject({ status: "interrupted", exit_code: null, outcome: "not_evaluable" });
    expect(result.reason).toMatch(/the engine stopped answering/);
    expect(await bench.sandbox.result(result.experiment, 1)).toEqual(result);
    expect(await leftOf(bench.run)).toHaveLength(4);
    await proxy.start();
    expect(await execute(bench, { script: WRITE_METRICS, execution: 2 })).toMatchObject({ status: "completed" });
    await expectNothingLeft(bench.run);
  });

  it("that stopped between two experiments is told as such", async () => {
    const bench = await openBench({ dockerHost: proxy.host });
    await bench.sandbox.available();
    await proxy.stop();
    expect(await execute(bench, { script: WRITE_METRICS })).toMatchObject({
      status: "docker_unavailable",
      reason: expect.stringMatching(/nothing listens on the engine's socket.*Start Docker/),
    });
    await proxy.start();
  });

  it.each([
    ["has no space to create a container", "POST /containers/create", 500, "write /var/lib/docker: no space left on device"],
    ["refuses a container", "POST /containers/create", 403, "authorization denied by plugin"],
    ["cannot take the inputs", "PUT /containers/ID/archive", 500, "no space left on device"],
  ])("that %s makes the result docker_unavailable, with its words, and nothing is left", async (_what, call, status, message) => {
    proxy.before = (asked) => (asked === call ? { status, message } : undefined);
    const bench = await openBench({ dockerHost: proxy.host });
    expect(await execute(bench, { script: WRITE_METRICS })).toMatchObject({
      status: "docker_unavailable",
      reason: expect.stringContaining(message),
    });
    await expectNothingLeft(bench.run);
  });

  it("that loses the connection on which it would tell the end is asked again", async () => {
    let asked = 0;
    proxy.before = (call) => {
      if (call !== "POST /containers/ID/wait") return undefined;
      asked += 1;
      return asked === 1 ? { status: 500, message: "the connection was lost" } : undefined;
    };
    const bench = await openBench({ dockerHost: proxy.host });
    const result = await execute(bench, { script: `import time; time.sleep(2)\n${WRITE_METRICS}print("to the end")` });
    expect(result).toMatchObject({ status: "completed", outcome: "met", stdout_head: "to the end\n" });
    expect(asked).toBeGreaterThan(1);
    await expectNothingLeft(bench.run);
  });

  it("that is slow is waited for", async () => {
    proxy.before = () => delay(50);
    const bench = await openBench({ dockerHost: proxy.host });
    expect(await execute(bench, { script: WRITE_METRICS })).toMatchObject({ status: "completed", outcome: "met" });
    await expectNothingLeft(bench.run);
  });

  it.each([
    ["forwards", 86_400_000],
    ["backwards", -86_400_000],
  ])("goes on with an experiment while the clock jumps %s by a day, also where another hypo looks", async (_where, jump) => {
    let offset = 0;
    const clock = { ...realClock, now: () => new Date(Date.now() + offset) };
    const bench = await openBench({ clock });
    const other = await openBench({ clock });
    let looked: Promise<unknown> = Promise.resolve();
    const onProgress = (message: string): void => {
      if (!message.includes("running")) return;
      offset = jump;
      looked = other.sandbox.available();
    };
    const child = `import subprocess, sys, time
subprocess.run([sys.executable, "-c", "b = []\\nwhile True: b.append(bytearray(1 << 20))"])
time.sleep(0.5)
${WRITE_METRICS}`;
    const result = await execute(bench, { script: child, plan: { limits: { memory_mb: 48 } }, onProgress });
    await looked;
    expect(result).toMatchObject({ status: "completed", outcome: "met", limits_hit: ["memory"] });
    await expectNothingLeft(bench.run);
  });
});
