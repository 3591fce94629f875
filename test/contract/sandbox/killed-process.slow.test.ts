import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Docker from "dockerode";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../../src/domain/hash.ts";
import type { ExecutionRequest } from "../../../src/domain/ports.ts";
import { kill, startElsewhere } from "./support/elsewhere.ts";
import { startEngineProxy } from "./support/engine-proxy.ts";
import {
  execute,
  expectNothingLeft,
  leftOf,
  openBench,
  requestFor,
  waitForPayload,
  withoutDocker,
  WRITE_METRICS,
  type Bench,
} from "./support/real-engine.ts";

describe.skipIf(withoutDocker)("after hypo is killed with SIGKILL", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(async () => expectNothingLeft(bench.run));

  it("a payload that still runs is removed, and there is no result to use", async () => {
    const request = requestFor(bench, { script: "import time; time.sleep(60)" });
    const child = await startElsewhere(bench, request);
    await waitForPayload(bench.run);
    expect(await leftOf(bench.run)).toHaveLength(4);
    await kill(child);
    expect(await bench.sandbox.reconcile(keyOf(request))).toBeUndefined();
    await expectNothingLeft(bench.run);
    expect(await execute(bench, { script: WRITE_METRICS })).toMatchObject({ status: "completed" });
  });

  it("a payload that ended meanwhile is salvaged, so that it need not run twice", async () => {
    const request = requestFor(bench, { script: `import time; time.sleep(1)\n${WRITE_METRICS}` });
    const child = await startElsewhere(bench, request);
    const payload = await waitForPayload(bench.run);
    // A stopped process is not a dead one: no other test may clear this away before it ends.
    child.kill("SIGSTOP");
    await payload.wait();
    await kill(child);
    const result = await bench.sandbox.reconcile(keyOf(request));
    expect(result).toMatchObject({
      status: "completed",
      exit_code: 0,
      outcome: "met",
      metrics: { x: 0.5 },
      limits_hit: ["logs: hypo ended before its output was stored"],
    });
    expect(result?.environment).toHaveProperty("kernel");
    await expectNothingLeft(bench.run);
    expect(await bench.sandbox.reconcile(keyOf(request))).toEqual(result);
    expect(await bench.sandbox.execute(request)).toEqual(result);
  });

  it("a payload that ended after its time limit meanwhile has timed out, as it would have beside a living hypo", async () => {
    const request = requestFor(bench, { script: `import time; time.sleep(3)\n${WRITE_METRICS}`, plan: { limits: { seconds: 2 } } });
    const child = await startElsewhere(bench, request);
    const payload = await waitForPayload(bench.run);
    child.kill("SIGSTOP");
    await payload.wait();
    await kill(child);
    expect(await bench.sandbox.reconcile(keyOf(request))).toMatchObject({ status: "timed_out", outcome: "not_evaluable" });
  });

  it("a payload that ended is kept while its result cannot be stored, and is not run again", async () => {
    const request = requestFor(bench, { script: `import time; time.sleep(1)\n${WRITE_METRICS}` });
    const child = await startElsewhere(bench, request);
    const payload = await waitForPayload(bench.run);
    child.kill("SIGSTOP");
    await payload.wait();
    await kill(child);
    const obstacle = join(bench.folder, request.experiment, "executions", "1", "artifacts");
    await writeFile(obstacle, "a file where the folder has to be");
    await expect(bench.sandbox.reconcile(keyOf(request))).rejects.toMatchObject({ code: "storage_failed" });
    expect(await leftOf(bench.run)).toHaveLength(4);
    await rm(obstacle);
    expect(await bench.sandbox.reconcile(keyOf(request))).toMatchObject({ status: "completed", outcome: "met" });
  });

  it.each(["GET /containers/json", "GET /containers/ID/json", "GET /containers/ID/archive"])(
    "a payload that ended is kept while the engine fails to answer %s, and is not run again",
    async (failing) => {
      const proxy = await startEngineProxy();
      onTestFinished(() => proxy.stop());
      const beside = await openBench({ dockerHost: proxy.host });
      const request = requestFor(beside, { script: `import time; time.sleep(1)\n${WRITE_METRICS}` });
      const child = await startElsewhere(beside, request);
      const payload = await waitForPayload(beside.run);
      child.kill("SIGSTOP");
      await payload.wait();
      await kill(child);
      proxy.before = (call) => (call === failing ? { status: 500, message: "not now" } : undefined);
      await expect(beside.sandbox.reconcile(keyOf(request))).rejects.toMatchObject({
        code: "storage_failed",
        message: expect.stringContaining("not now"),
        hint: expect.stringContaining("hypo resume"),
      });
      expect(await leftOf(beside.run)).toHaveLength(4);
      proxy.before = () => undefined;
      expect(await beside.sandbox.reconcile(keyOf(request))).toMatchObject({ status: "completed", outcome: "met" });
      await expectNothingLeft(beside.run);
    },
  );

  it("what it printed is kept where it was stored already", async () => {
    const request = requestFor(bench, { script: `import time; time.sleep(1)\n${WRITE_METRICS}` });
    const child = await startElsewhere(bench, request);
    const payload = await waitForPayload(bench.run);
    child.kill("SIGSTOP");
    await payload.wait();
    await kill(child);
    const folder = join(bench.folder, request.experiment, "executions", "1");
    await writeFile(join(folder, "stdout.log"), "printed\n");
    await writeFile(join(folder, "stderr.log"), "");
    const result = await bench.sandbox.reconcile(keyOf(request));
    expect(result).toMatchObject({ stdout_head: "printed\n", stdout_bytes: 8, stdout_sha256: sha256("printed\n"), limits_hit: [] });
    expect(await readFile(join(folder, "stdout.log"), "utf8")).toBe("printed\n");
  });

  it("a stored result is returned and what it left is removed", async () => {
    const request = requestFor(bench, { script: "import time; time.sleep(60)" });
    const child = await startElsewhere(bench, request);
    await waitForPayload(bench.run);
    await kill(child);
    const folder = join(bench.folder, request.experiment, "executions", "1");
    const stored = await readFile(join(folder, "started.json"));
    await writeFile(join(folder, "result.json"), stored);
    expect(await bench.sandbox.reconcile(keyOf(request))).toEqual(JSON.parse(stored.toString()));
    await expectNothingLeft(bench.run);
  });

  it("a payload that still runs is removed by the next hypo of any project, at its first use of the engine", async () => {
    const child = await startElsewhere(bench, requestFor(bench, { script: "import time; time.sleep(60)" }));
    await waitForPayload(bench.run);
    await kill(child);
    const other = await openBench();
    expect(await other.sandbox.available()).toMatchObject({ ok: true });
    await expectNothingLeft(bench.run);
  });

  it("a payload that ended is left by a hypo of another project, for its own to store its result", async () => {
    const request = requestFor(bench, { script: `import time; time.sleep(1)\n${WRITE_METRICS}` });
    const child = await startElsewhere(bench, request);
    const payload = await waitForPayload(bench.run);
    child.kill("SIGSTOP");
    await payload.wait();
    await kill(child);
    await (await openBench()).sandbox.available();
    expect(await leftOf(bench.run)).toHaveLength(4);
    expect(await bench.sandbox.reconcile(keyOf(request))).toMatchObject({ status: "completed", outcome: "met" });
  });

  it("what a living hypo runs is left alone by another one", async () => {
    const child = await startElsewhere(bench, requestFor(bench, { script: "import time; time.sleep(60)" }));
    const payload = await waitForPayload(bench.run);
    const other = await openBench();
    await other.sandbox.available();
    expect((await payload.inspect()).State.Running).toBe(true);
    await kill(child);
    await (await openBench()).sandbox.available();
  });

  it("the program it left ends with its keeper, whoever is gone", async () => {
    const child = await startElsewhere(bench, requestFor(bench, { script: "import time; time.sleep(60)" }));
    const payload = await waitForPayload(bench.run);
    child.kill("SIGSTOP");
    const docker = new Docker();
    const [keeper] = await docker.listContainers({ filters: { label: [`dev.hypo.run=${bench.run}`, "dev.hypo.role=keeper"] } });
    await docker.getContainer(keeper?.Id ?? "").kill();
    await expect.poll(async () => (await payload.inspect()).State.Running, { timeout: 5000 }).toBe(false);
    await kill(child);
    await bench.sandbox.abandon(bench.run);
  });
});

function keyOf({ run, branch, call, experiment, execution }: ExecutionRequest) {
  return { run, branch, call, experiment, execution };
}
