import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { execute, openBench, WRITE_METRICS } from "./support/real-engine.ts";

describe("without a Docker engine", () => {
  it("an experiment is recorded as docker_unavailable, with the way to mend it", async () => {
    const bench = await openBench({ dockerHost: "unix:///nowhere/docker.sock" });
    const result = await execute(bench, { script: WRITE_METRICS });
    expect(result).toMatchObject({ status: "docker_unavailable", exit_code: null, outcome: "not_evaluable" });
    expect(result.reason).toMatch(/no engine's socket.*Start Docker/);
    expect(await bench.sandbox.result(result.experiment, 1)).toEqual(result);
    expect(await bench.sandbox.available()).toMatchObject({ ok: false, reason: expect.stringContaining("No Docker engine answers") });
    expect(await bench.sandbox.defaultImage()).toBe("hypo-sandbox/python:latest");
  });

  it("abandoning and reconciling a run changes nothing and is no error", async () => {
    const bench = await openBench({ dockerHost: "tcp://127.0.0.1:9" });
    await bench.sandbox.abandon(bench.run);
    const key = { run: bench.run, branch: "main", call: "call_1", experiment: "x-0000000001", execution: 1 };
    expect(await bench.sandbox.reconcile(key)).toBeUndefined();
  });
});

describe("variables that name no engine", () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ["a port that cannot be one", { DOCKER_HOST: "tcp://127.0.0.1:99999" }, "DOCKER_HOST"],
    [
      "certificates that are not there",
      { DOCKER_HOST: "tcp://127.0.0.1:2376", DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: "/nowhere" },
      "/nowhere/ca.pem",
    ],
  ])("by %s are docker_unavailable, and not a defect of hypo", async (_what, variables, what) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const bench = await openBench();
    const reason = expect.stringMatching(new RegExp(`Docker's variables name no engine: .*${what}`));
    expect(await bench.sandbox.available()).toMatchObject({ ok: false, reason });
    expect(await execute(bench, { script: WRITE_METRICS })).toMatchObject({ status: "docker_unavailable", reason });
    await bench.sandbox.abandon(bench.run);
  });
});

describe("an engine that cannot hold experiments", () => {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    const address = server.address() as AddressInfo;
    return `tcp://127.0.0.1:${address.port}`;
  }

  async function serveInfo(info: Record<string, unknown>): Promise<string> {
    const whole = { ...ENGINE, ...info };
    return serve((request, response) => {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(request.url?.includes("version") === true ? { ApiVersion: "1.41", Components: [] } : whole));
    });
  }

  it("because it does not answer in time is docker_unavailable, and soon", async () => {
    const bench = await openBench({ dockerHost: await serve(() => undefined), engineTimeoutMs: 200 });
    const before = performance.now();
    expect(await execute(bench, { script: WRITE_METRICS })).toMatchObject({
      status: "docker_unavailable",
      reason: expect.stringContaining("no answer within 0.2 seconds"),
    });
    expect(performance.now() - before).toBeLessThan(5000);
  });

  it("because it refuses is docker_unavailable, with what it said", async () => {
    const dockerHost = await serve((_request, response) => {
      response.statusCode = 500;
      response.end(JSON.stringify({ message: "disk full" }));
    });
    const bench = await openBench({ dockerHost });
    expect(await execute(bench, { script: WRITE_METRICS })).toMatchObject({
      status: "docker_unavailable",
      reason: expect.stringContaining("disk full"),
    });
  });

  it.each([
    ["memory limits", { MemoryLimit: false }],
    ["swap limits", { SwapLimit: false }],
    ["process limits", { PidsLimit: false }],
    ["processor limits", { CpuCfsQuota: false }],
    ["seccomp", { SecurityOptions: [] }],
    ["seccomp", { SecurityOptions: null }],
    ["Linux containers", { OSType: "windows" }],
  ])("because it lacks %s runs none of them", async (missing, info) => {
    const bench = await openBench({ dockerHost: await serveInfo(info) });
    expect(await bench.sandbox.available()).toMatchObject({ ok: false, reason: expect.stringContaining(`it lacks ${missing}`) });
    expect(await execute(bench, { script: WRITE_METRICS })).toMatchObject({ status: "docker_unavailable" });
  });

  it("because it lacks the configured runtime says which it has", async () => {
    const bench = await openBench({ dockerHost: await serveInfo({}), experiment: { runtime: "runsc" } });
    expect(await bench.sandbox.available()).toMatchObject({ ok: false, reason: "The engine has no runtime named runsc; it has runc." });
  });
});

const ENGINE = {
  OSType: "linux",
  ServerVersion: "1",
  DefaultRuntime: "runc",
  Runtimes: { runc: {} },
  MemoryLimit: true,
  SwapLimit: true,
  PidsLimit: true,
  CpuCfsQuota: true,
  SecurityOptions: ["name=seccomp,profile=default"],
};
