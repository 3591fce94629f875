import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withoutDocker } from "../contract/sandbox/support/real-engine.ts";
import { hasTmux, withTerminal } from "../support/terminal.ts";

const BINARY = fileURLToPath(new URL("../../bin/hypo.js", import.meta.url));
const NO_ENGINE = { DOCKER_HOST: "unix:///nowhere/docker.sock" };

const PLAN = `
hypothesis: The mean of the numbers is below their count.
title: Mean of four numbers
method: Compute it.
image: hypo-sandbox/python:latest
data:
  - { name: numbers.json, path: numbers.json }
metrics:
  - { name: mean, tolerance: 0.001 }
  - { name: n, type: int }
success_criterion: metrics.mean < metrics.n
refutation_criterion: metrics.mean >= metrics.n
`;
const PROGRAM = `
import json
from lib.mean import mean
numbers = json.load(open("/work/data/numbers.json"))
print("counted", len(numbers), "\\x1b[31m")
json.dump({"mean": mean(numbers), "n": len(numbers)}, open("/out/metrics.json", "w"))
`;

describe("experiments by hand", () => {
  let cwd: string;
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "hypo by hand "));
    mkdirSync(join(cwd, "lib"));
    writeFileSync(join(cwd, "plan.yaml"), PLAN);
    writeFileSync(join(cwd, "main.py"), PROGRAM);
    writeFileSync(join(cwd, "lib", "mean.py"), "def mean(v): return sum(v) / len(v)\n");
    writeFileSync(join(cwd, "numbers.json"), "[1, 2, 3, 4]");
  });
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));

  function hypo(argv: string[], env: Record<string, string> = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...argv], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: cwd, ...env },
      encoding: "utf8",
    });
    return { code: status, out: stdout, err: stderr };
  }

  function register(): string {
    const { code, out } = hypo(["experiments", "register", "plan.yaml", "--json"], NO_ENGINE);
    expect(code).toBe(0);
    return (JSON.parse(out) as { experiment: string }).experiment;
  }

  it("a plan with mistakes is not registered, and every mistake is told", () => {
    writeFileSync(
      join(cwd, "bad.yaml"),
      PLAN.replace("metrics.mean < metrics.n", "metrics.men < 1").replace("title:", "limits: { seconds: 9999 }\ntitle:"),
    );
    const { code, err } = hypo(["experiments", "register", "bad.yaml"], NO_ENGINE);
    expect(code).toBe(2);
    expect(err).toMatch(/success_criterion: unknown metric.*limits\.seconds is 9999, and at most 600/s);
    writeFileSync(join(cwd, "worse.yaml"), "title: 3\nmetric: []\n");
    expect(hypo(["experiments", "register", "worse.yaml"], NO_ENGINE)).toMatchObject({
      code: 2,
      err: expect.stringContaining("Unrecognized key"),
    });
    expect(hypo(["runs", "--json"]).out).toContain('"total":0');
  });

  it("without an engine it is registered all the same, and running and replaying it exit 3", () => {
    const experiment = register();
    const ran = hypo(["experiments", "run", experiment, "--file", "main.py", "--", "python3", "main.py"], NO_ENGINE);
    expect(ran).toMatchObject({ code: 3, out: expect.stringContaining("execution 1: docker_unavailable, outcome not_evaluable") });
    expect(hypo(["replay", experiment], NO_ENGINE)).toMatchObject({ code: 3, err: expect.stringContaining("never came to an end") });
    expect(hypo(["experiments", "list"]).out).toContain("docker_unavailable");
  });

  it("a file that leads outside, is a link or is no text is refused by name", () => {
    const experiment = register();
    symlinkSync("/etc/passwd", join(cwd, "link.py"));
    writeFileSync(join(cwd, "bytes.py"), Buffer.from([0xff, 0xfe]));
    for (const [file, why] of [
      ["../x.py", "outside the current folder"],
      ["/etc/passwd", "outside the current folder"],
      ["link.py", "neither a file nor a folder"],
      ["bytes.py", "not UTF-8 text"],
      ["missing.py", "ENOENT"],
    ] as const)
      expect(hypo(["experiments", "run", experiment, "--file", file, "--", "true"], NO_ENGINE)).toMatchObject({
        code: 2,
        err: expect.stringContaining(why),
      });
  });

  it("what cannot be executed is refused before an execution is recorded", () => {
    const experiment = register();
    const run = (file: string) => hypo(["experiments", "run", experiment, "--file", file, "--", "python3", "main.py"], NO_ENGINE);
    writeFileSync(join(cwd, "plan.json"), "{}");
    expect(run("plan.json")).toMatchObject({ code: 1, err: expect.stringContaining("the name is taken") });
    writeFileSync(join(cwd, ".hypo", "experiments", experiment, "plan.json"), "{}");
    expect(run("main.py")).toMatchObject({ code: 2, err: expect.stringContaining("a registered plan cannot be changed") });
    expect(JSON.parse(hypo(["experiments", "show", experiment, "--json"]).out)).toMatchObject({ executions: [] });
  });

  it.skipIf(withoutDocker || !hasTmux())("one whose terminal is closed is ended and stored, as by Ctrl-C", async () => {
    const experiment = register();
    await withTerminal({ cwd, env: { HOME: cwd } }, async (terminal) => {
      await terminal.run(`hypo experiments run ${experiment} --file main.py -- sleep 100`);
      await terminal.until("the experiment is running");
    });
    const executions = () => (JSON.parse(hypo(["experiments", "show", experiment, "--json"]).out) as { executions: unknown[] }).executions;
    await expect.poll(executions, { timeout: 30_000 }).toMatchObject([{ status: "cancelled" }]);
  });

  it.skipIf(withoutDocker || !hasTmux())("one that is interrupted by Ctrl-C is stored, and the shell has its terminal back", async () => {
    const experiment = register();
    await withTerminal({ cwd, env: { HOME: cwd } }, async (terminal) => {
      await terminal.run(`hypo experiments run ${experiment} --file main.py -- sleep 100`);
      await terminal.until("the experiment is running");
      await terminal.press("C-c");
      await terminal.until("execution 1: cancelled");
      await terminal.run('echo "code $?"');
      await terminal.until("code 130");
      expect(await terminal.isCursorShown()).toBe(true);
    });
    const { executions } = JSON.parse(hypo(["experiments", "show", experiment, "--json"]).out) as { executions: unknown[] };
    expect(executions).toMatchObject([{ status: "cancelled" }]);
  });

  it.skipIf(withoutDocker)("a plan is registered, run, looked at and replayed", () => {
    const experiment = register();
    const ran = hypo(["experiments", "run", experiment, "--file", "main.py", "--file", "lib", "--json", "--", "python3", "main.py"]);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({
      recovered: false,
      result: { execution: 1, confirmatory: true, status: "completed", outcome: "met", metrics: { mean: 2.5, n: 4 } },
    });
    expect(hypo(["experiments", "logs", experiment]).out).toBe("counted 4 \u001B[31m\n");
    expect(hypo(["experiments", "logs", experiment, "--execution", "2"])).toMatchObject({ code: 2 });
    const replayed = hypo(["replay", experiment]);
    expect(replayed).toMatchObject({ code: 0, out: expect.stringContaining("replay 1: reproduced") });
    expect(replayed.out).toContain("mean: 2.5  identical");
    const shown = JSON.parse(hypo(["experiments", "show", experiment, "--json"]).out) as { author: string; executions: unknown[] };
    expect(shown).toMatchObject({ author: "person", executions: [{ execution: 1, outcome: "met" }] });
    expect(hypo(["runs"]).out).toContain("by hand");
    expect(hypo(["resume", "last"])).toMatchObject({ code: 1, err: expect.stringContaining("was made by hand") });
  });
});
