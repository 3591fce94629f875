import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Docker from "dockerode";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashOf, sha256 } from "../../../src/domain/hash.ts";
import {
  execute,
  expectNothingLeft,
  IMAGE,
  openBench,
  requestFor,
  waitForPayload,
  withoutDocker,
  WRITE_METRICS,
  type Bench,
} from "./support/real-engine.ts";

describe.skipIf(withoutDocker)("an experiment", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(async () => expectNothingLeft(bench.run));

  it("runs a script over its files and data, and has its metrics judged by the frozen criteria", async () => {
    const script = `
import json, os, sys
from lib.mean import mean
numbers = json.load(open("/work/data/numbers.json"))
plan = json.load(open("/work/plan.json"))
print("seed", os.environ["HYPO_SEED"], os.environ["HYPO_SEEDS"], plan["title"])
print("to stderr", file=sys.stderr)
os.makedirs("/out/tables")
open("/out/tables/t.csv", "w").write("a,b\\n")
json.dump({"x": mean(numbers), "n": len(numbers)}, open("/out/metrics.json", "w"))
`;
    const result = await execute(bench, {
      script,
      code: { "lib/mean.py": "def mean(v): return sum(v) / len(v)\n" },
      data: { "numbers.json": Buffer.from("[1, 2, 3, 4]") },
      plan: {
        seeds: [7, 8],
        metrics: [{ name: "x" }, { name: "n", type: "int" }],
        success_criterion: "metrics.x < metrics.n && metrics.n > 3",
        refutation_criterion: "metrics.x > metrics.n",
      },
    });
    expect(result).toMatchObject({
      status: "completed",
      exit_code: 0,
      outcome: "met",
      confirmatory: true,
      metrics: { x: 2.5, n: 4 },
      stdout_head: "seed 7 7,8 A test\n",
      stderr_head: "to stderr\n",
      limits_hit: [],
      refused_artifacts: [],
    });
    expect(result.reason).toBeUndefined();
    expect(result.artifacts.map(({ path }) => path)).toEqual(["metrics.json", "tables/t.csv"]);
    expect(result.files.map(({ path, mode }) => `${mode} ${path}`)).toEqual([
      "0444 data/numbers.json",
      "0444 lib/mean.py",
      "0444 main.py",
      "0444 plan.json",
    ]);
    expect(result.image_id).toMatch(/^sha256:/);
    expect(result.environment).toMatchObject({ network: "none", time_zone: "UTC", cwd: "/work", limit_memory_mb: 512 });
    expect(result.environment).toMatchObject({
      seed: "7",
      locale: "C.UTF-8",
      python_hash_seed: "0",
      blas_threads: "1",
      limit_open_files: 1024,
    });
    expect(result.stdout_sha256).toBe(sha256("seed 7 7,8 A test\n"));
    for (const key of ["cpu_model", "cpu_flags_sha256", "kernel", "docker", "runtime_version", "image_layers", "seccomp_sha256", "uid"])
      expect(result.environment).toHaveProperty(key);
  });

  it("is stored with its plan, source, logs and artefacts before it returns", async () => {
    const request = requestFor(bench, { script: `print("logged")\n${WRITE_METRICS}` });
    const result = await bench.sandbox.execute(request);
    const folder = join(bench.folder, request.experiment);
    expect(sha256(await readFile(join(folder, "plan.json")))).toBe(request.planSha256);
    expect(JSON.parse(await readFile(join(folder, "data-manifest.json"), "utf8"))).toMatchObject({ plan_sha256: request.planSha256 });
    const execution = join(folder, "executions", "1");
    expect((await readdir(execution)).toSorted()).toEqual([
      "artifacts",
      "result.json",
      "source",
      "started.json",
      "stderr.log",
      "stdout.log",
    ]);
    expect(await readFile(join(execution, "source", "main.py"), "utf8")).toBe(request.code["main.py"]);
    expect(await readFile(join(execution, "stdout.log"), "utf8")).toBe("logged\n");
    expect(await readFile(join(execution, "artifacts", "metrics.json"), "utf8")).toBe('{"x": 0.5}');
    expect(sha256(await readFile(join(execution, "result.json")))).toBe(hashOf(result));
    expect(await bench.sandbox.result(request.experiment, 1)).toEqual(result);
  });

  it("that is recorded is not run again, and its number is refused to other code", async () => {
    const first = await execute(bench, { script: `import time; print(time.time_ns())\n${WRITE_METRICS}` });
    expect(await execute(bench, { script: `import time; print(time.time_ns())\n${WRITE_METRICS}` })).toEqual(first);
    await expect(execute(bench, { script: WRITE_METRICS })).rejects.toMatchObject({ code: "refused" });
  });

  it("that fails says so with its exit code and the end of its output", async () => {
    const result = await execute(bench, { script: `raise SystemExit("no data")` });
    expect(result).toMatchObject({ status: "failed", exit_code: 1, outcome: "not_evaluable", stderr_head: "no data\n" });
  });

  it("whose command is not in the image fails with exit code 127 and not for want of an engine", async () => {
    const result = await execute(bench, { script: "", command: ["no-such-program"] });
    expect(result).toMatchObject({ status: "failed", exit_code: 127, outcome: "not_evaluable" });
    expect(result.stderr_head).toMatch(/^The command cannot be started: exec: "no-such-program": executable file not found in \$PATH\n$/);
  });

  it.each([
    ["nothing", "", "the experiment did not write /out/metrics.json"],
    ["NaN", `open("/out/metrics.json", "w").write('{"x": NaN}')`, 'metrics.json: "x" is NaN; only finite numbers can be used'],
    [
      "a link to a file of the image",
      `import os; os.symlink("/etc/passwd", "/out/metrics.json")`,
      "/out/metrics.json cannot be read: it is a symbolic link",
    ],
    ["a pipe", `import os; os.mkfifo("/out/metrics.json")`, "/out/metrics.json cannot be read: it is a pipe"],
  ])("that writes %s as its metrics is completed but not evaluable", async (_what, script, problem) => {
    expect(await execute(bench, { script })).toMatchObject({ status: "completed", outcome: "not_evaluable", metrics_problem: problem });
  });

  it("takes arguments of any length that a program can be given", async () => {
    const long = "{}".repeat(60_000);
    const script = `import json, sys\njson.dump({"x": float(sum(map(len, sys.argv[1:])))}, open("/out/metrics.json", "w"))`;
    const fits = await execute(bench, { script, command: ["python3", "main.py", long, long, long, long] });
    expect(fits).toMatchObject({ status: "completed", metrics: { x: 480_000 } });
    const tooLong = await execute(bench, { script, command: ["python3", "main.py", long + long], execution: 2 });
    expect(tooLong).toMatchObject({ status: "failed" });
    expect(tooLong.stderr_head).toContain("argument list too long");
  });

  it("is ended at its time limit, even when it ignores signals", async () => {
    const script = `import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint("here", flush=True)\ntime.sleep(60)`;
    const result = await execute(bench, { script, plan: { limits: { seconds: 1 } } });
    expect(result).toMatchObject({ status: "timed_out", outcome: "not_evaluable", limits_hit: ["seconds"], stdout_head: "here\n" });
  });

  it("that needs more than its memory is ended and says so", async () => {
    const result = await execute(bench, {
      script: `b = []\nwhile True: b.append(bytearray(1 << 20))`,
      plan: { limits: { memory_mb: 32 } },
    });
    expect(result).toMatchObject({ status: "out_of_memory", exit_code: 137, limits_hit: ["memory"] });
  });

  it("that is cancelled is gone at once", async () => {
    const controller = new AbortController();
    const running = execute(bench, { script: "import time; time.sleep(60)", signal: controller.signal });
    const payload = await waitForPayload(bench.run);
    controller.abort();
    const before = performance.now();
    await expect
      .poll(
        () =>
          payload.inspect().then(
            ({ State }) => State.Running,
            () => false,
          ),
        { timeout: 5000, interval: 20 },
      )
      .toBe(false);
    const killed = performance.now() - before;
    expect(await running).toMatchObject({ status: "cancelled", exit_code: null });
    expect(killed).toBeLessThan(5000);
  });

  it("that is cancelled before it could start is recorded as cancelled", async () => {
    expect(await execute(bench, { script: WRITE_METRICS, signal: AbortSignal.abort() })).toMatchObject({ status: "cancelled" });
  });

  it("leaves no connection to the engine, whenever it is cancelled", { timeout: 180_000 }, async () => {
    const connections = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "PipeWrap").length;
    await execute(bench, { script: WRITE_METRICS, experiment: "x-0000000009" });
    await expect.poll(connections, { timeout: 5000 }).toBeLessThan(100);
    const before = connections();
    const moments = Array.from({ length: 8 }, (_, index) => index * 60);
    for (const [index, moment] of moments.entries()) {
      const experiment = `x-00000001${String(index).padStart(2, "0")}`;
      await execute(bench, { script: "import time; time.sleep(60)", experiment, signal: AbortSignal.timeout(moment) });
    }
    await expect.poll(connections, { timeout: 5000 }).toBeLessThanOrEqual(before);
  });

  it.each([
    ["killed", (payload: Awaited<ReturnType<typeof waitForPayload>>) => payload.kill()],
    ["removed", (payload: Awaited<ReturnType<typeof waitForPayload>>) => payload.remove({ force: true })],
  ])("whose container is %s by somebody else is interrupted, not failed", async (_what, interfere) => {
    const running = execute(bench, { script: "import time; time.sleep(60)" });
    await interfere(await waitForPayload(bench.run));
    const result = await running;
    expect(result).toMatchObject({ status: "interrupted", outcome: "not_evaluable" });
    expect(result.reason).toMatch(/from outside/);
  });

  it("is ended by abandoning its run", async () => {
    const running = execute(bench, { script: "import time; time.sleep(60)" });
    await waitForPayload(bench.run);
    await bench.sandbox.abandon(bench.run, "another call");
    await waitForPayload(bench.run);
    await bench.sandbox.abandon(bench.run);
    expect(await running).toMatchObject({ status: "interrupted" });
  });

  it("with a file name that leads outside is refused before anything runs", async () => {
    for (const name of ["../x.py", "/etc/x", "data/x", "plan.json", "a//b", "main.py/x"])
      await expect(execute(bench, { script: "", code: { [name]: "" } })).rejects.toMatchObject({ code: "refused" });
  });
});

describe.skipIf(withoutDocker)("the number of experiments at once", () => {
  it("is held to experiment.concurrency", async () => {
    const bench = await openBench({ experiment: { concurrency: 1 } });
    const script = `import time; start = time.time(); time.sleep(0.3)\nprint(start, time.time())\n${WRITE_METRICS}`;
    const results = await Promise.all([1, 2].map((execution) => execute(bench, { script, execution })));
    const [first, second] = results
      .map(({ stdout_head }) => stdout_head.split(" ").map(Number))
      .toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
    expect(first?.[1]).toBeLessThan(second?.[0] ?? 0);
    expect(results.map(({ confirmatory }) => confirmatory)).toEqual([true, false]);
    await expectNothingLeft(bench.run);
  });
});

describe.skipIf(withoutDocker)("images", () => {
  it("that are not on the engine and cannot be pulled are a result with the reason", async () => {
    const image = "127.0.0.1:9/nobody/nothing:1";
    const bench = await openBench({ experiment: { images: [image] } });
    const result = await execute(bench, { script: WRITE_METRICS, plan: { image } });
    expect(result).toMatchObject({ status: "image_unavailable", outcome: "not_evaluable" });
    expect(result.reason).toMatch(/cannot be pulled: .*127\.0\.0\.1:9.*make-test-images/);
  });

  it("that declare volumes are refused, since those are writable whatever the root file system is", async () => {
    const docker = new Docker();
    const image = "hypo-sandbox/with-volume:test";
    const container = await docker.createContainer({ Image: IMAGE });
    await container.commit({ repo: "hypo-sandbox/with-volume", tag: "test", changes: "VOLUME /data" });
    await container.remove();
    const bench = await openBench({ experiment: { images: [image] } });
    const result = await execute(bench, { script: WRITE_METRICS, plan: { image } });
    await docker.getImage(image).remove();
    expect(result).toMatchObject({ status: "image_unavailable", reason: expect.stringContaining("declares volumes (/data)") });
  });

  it("that are not allowed are never asked for", async () => {
    const bench = await openBench();
    const result = await execute(bench, { script: WRITE_METRICS, plan: { image: "evil/image:1" } });
    expect(result).toMatchObject({ status: "image_unavailable", reason: expect.stringContaining("not among the allowed ones") });
  });

  it("default to the local one where the configured one cannot be had", async () => {
    const bench = await openBench({ experiment: { image: "127.0.0.1:9/nobody/nothing:1" } });
    expect(await bench.sandbox.defaultImage()).toBe("hypo-sandbox/python:latest");
    expect(bench.sandbox.allowedImages()).toEqual(["127.0.0.1:9/nobody/nothing:1", "hypo-sandbox/python:latest"]);
  });
});
