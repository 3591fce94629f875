import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startEngineProxy, type EngineProxy } from "./support/engine-proxy.ts";
import { expectNothingLeft, withoutDocker, WRITE_METRICS } from "./support/real-engine.ts";

const BINARY = fileURLToPath(new URL("../../../bin/hypo.js", import.meta.url));
const PLAN = `
hypothesis: The number that the program writes is below one.
title: One number
method: Write it.
image: hypo-sandbox/python:latest
metrics: [{ name: x }]
success_criterion: metrics.x < 1
refutation_criterion: metrics.x >= 1
`;

describe.skipIf(withoutDocker)("kill -9 of hypo while it executes an experiment", () => {
  let proxy: EngineProxy;
  let cwd: string;
  beforeEach(async () => {
    proxy = await startEngineProxy();
    cwd = await mkdtemp(join(tmpdir(), "hypo-killed-"));
    await writeFile(join(cwd, "plan.yaml"), PLAN);
    await writeFile(join(cwd, "main.py"), WRITE_METRICS);
  });
  afterEach(async () => {
    await proxy.stop();
    await rm(cwd, { recursive: true, force: true });
  });

  const start = (argv: string[], env: Record<string, string> = {}) =>
    spawn(process.execPath, [BINARY, ...argv], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: cwd, DOCKER_HOST: proxy.host, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });

  async function hypo(argv: string[], env?: Record<string, string>): Promise<{ code: number | null; out: string }> {
    const child = start(argv, env);
    const [out] = await Promise.all([text(child.stdout), once(child, "close")]);
    return { code: child.exitCode, out };
  }

  const CREATE = "POST /containers/create";
  const START = "POST /containers/ID/start";

  it.each([
    ["before its first container", "before", CREATE, 1, false],
    ["when its keeper was made", "after", CREATE, 1, false],
    ["when its payload was made", "after", CREATE, 2, false],
    ["before its inputs went in", "before", "PUT /containers/ID/archive", 1, false],
    ["before its payload started", "before", START, 2, false],
    ["when its payload had started", "after", START, 2, true],
    ["when its payload had ended", "before", "GET /containers/ID/json", 1, true],
    ["before its artefacts were read", "before", "GET /containers/ID/archive", 1, true],
    ["when its result was stored", "before", "DELETE /containers/hypo", 1, true],
  ] as const)("%s: the payload runs exactly once all in all", async (_phase, when, call, count, isRecovered) => {
    const registered = await hypo(["experiments", "register", "plan.yaml", "--json"]);
    const { experiment, run } = JSON.parse(registered.out) as { experiment: string; run: string };
    const argv = ["experiments", "run", experiment, "--file", "main.py", "--json", "--", "python3", "main.py"];
    proxy.calls.length = 0;
    let seen = 0;
    const child = start(argv);
    const closed = once(child, "close");
    proxy[when] = async (asked) => {
      if (!asked.startsWith(call)) return;
      seen += 1;
      if (seen !== count) return;
      child.kill("SIGKILL");
      await closed;
    };
    await closed;
    expect(child.signalCode).toBe("SIGKILL");
    proxy[when] = () => undefined;
    const { code, out } = await hypo(argv);
    expect(JSON.parse(out)).toMatchObject({ recovered: isRecovered, result: { status: "completed", outcome: "met", metrics: { x: 0.5 } } });
    expect(code).toBe(0);
    // Of two starts one is the keeper's; a request that was sent and lost its sender counts where the engine had it.
    const payloads = proxy.calls.filter((each) => each === "POST /containers/ID/attach").length;
    expect(payloads).toBeLessThanOrEqual(isRecovered ? 1 : 2);
    await expectNothingLeft(run);
  });

  it.each(["experiment.started", "experiment.done"])("at the point %s: its result is used, or it is run once", async (point) => {
    const registered = await hypo(["experiments", "register", "plan.yaml", "--json"]);
    const { experiment, run } = JSON.parse(registered.out) as { experiment: string; run: string };
    const argv = ["experiments", "run", experiment, "--file", "main.py", "--json", "--", "python3", "main.py"];
    const child = start(argv, { HYPO_CRASH_AT: point });
    await once(child, "close");
    expect(child.signalCode).toBe("SIGKILL");
    const { out } = await hypo(argv);
    expect(JSON.parse(out)).toMatchObject({ recovered: point === "experiment.done", result: { status: "completed", outcome: "met" } });
    expect(proxy.calls.filter((each) => each === "POST /containers/ID/wait")).toHaveLength(1);
    const stored = await readdir(join(cwd, ".hypo", "experiments", experiment, "executions"));
    expect(stored).toEqual([point === "experiment.done" ? "1" : "2"]);
    await expectNothingLeft(run);
  });
});
