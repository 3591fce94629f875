import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { stopCommand } from "../../../src/cli/commands/stop.ts";
import { processIdentity } from "../../../src/files/process-identity.ts";
import { testIo, type TestIo } from "./test-io.ts";
import { addRun, testFolder } from "./test-project.ts";

const runNamed = (name: string): string => `20260301-120000-${name}-ab12`;

afterEach(() => void vi.restoreAllMocks());

/** Adds a run that a real process is at work on, which does nothing else. */
function addRunAtWork(root: string, name: string): string {
  const child = spawn("sleep", ["60"]);
  onTestFinished(() => void child.kill());
  const { pid, started: pid_started, boot } = processIdentity(child.pid) ?? {};
  const folder = addRun(root, runNamed(name));
  const status = { v: 1, state: "running", pid, pid_started, boot, heartbeat: "2026-03-01T12:00:10.000Z", branches: ["main"] };
  writeFileSync(join(folder, "status.json"), JSON.stringify(status));
  return folder;
}

function setState(folder: string, state: string): void {
  const path = join(folder, "status.json");
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), state }));
}

async function stop(root: string, { run, json = false }: { run?: string; json?: boolean } = {}): Promise<{ code: number; io: TestIo }> {
  const io = testIo({ cwd: root });
  const code = await stopCommand({ json, debug: false, agentDir: undefined, run, all: run === undefined }, io);
  return { code, io };
}

function failKill(code: string, before: () => void = () => undefined): void {
  vi.spyOn(process, "kill").mockImplementation(() => {
    before();
    throw Object.assign(new Error(`kill ${code}`), { code });
  });
}

describe("stopping all runs", () => {
  it("stops those that can be stopped, and tells the others", async () => {
    const root = testFolder();
    writeFileSync(join(addRun(root, runNamed("odd")), "status.json"), "{}");
    const live = addRunAtWork(root, "live");
    addRun(root, runNamed("dead"), { state: "running", pid: 2 ** 30 });
    const { code, io } = await stop(root, { json: true });
    expect(code).toBe(1);
    expect(JSON.parse(io.out())).toEqual({
      v: 1,
      stopped: [runNamed("live")],
      stale: [runNamed("dead")],
      failed: [
        { run: runNamed("odd"), error: { code: "run_damaged", message: expect.stringContaining("status.json"), hint: expect.any(String) } },
      ],
    });
    setState(live, "stopped");
    const again = await stop(root);
    expect(again.code).toBe(1);
    expect(again.io.out()).toBe("");
    expect(again.io.err()).toMatch(/^hypo: .*status\.json is not what hypo writes there\.\n {6}Remove the file/);
    await expect(stop(root, { run: runNamed("odd") })).rejects.toMatchObject({ code: "run_damaged" });
  });

  it("takes a process that has just ended for ended, as the run's files say", async () => {
    const root = testFolder();
    const folder = addRunAtWork(root, "live");
    failKill("ESRCH", () => setState(folder, "complete"));
    const { code, io } = await stop(root);
    expect([code, io.err()]).toEqual([0, "No run is at work.\n"]);
    expect(readFileSync(join(folder, "status.json"), "utf8")).toContain('"complete"');
  });

  it("says so where the process belongs to somebody else", async () => {
    const root = testFolder();
    addRunAtWork(root, "live");
    failKill("EPERM");
    await expect(stop(root, { run: runNamed("live") })).rejects.toMatchObject({
      code: "refused",
      hint: expect.stringContaining("the user"),
    });
  });
});
