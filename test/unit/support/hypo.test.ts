import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { describe, expect, it, vi } from "vitest";
import { Config } from "../../../src/domain/config.ts";
import { HYPO, withProject, type HypoOptions, type Project } from "../../support/hypo.ts";
import type { ProgramResult } from "../../support/program.ts";

const program = fileURLToPath(new URL("../../fixtures/programs/echo.mjs", import.meta.url));
const IS_COMPILED = existsSync(new URL("../../../dist/cli/main.js", import.meta.url));

const runEcho = (project: Project, args: string[], options: HypoOptions = {}): Promise<ProgramResult> =>
  project.hypo(args, { program, ...options });

interface Shown {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  execPath: string;
}

async function show(project: Project, options: HypoOptions = {}): Promise<Shown> {
  return JSON.parse((await runEcho(project, ["show", "two words"], options)).stdout) as Shown;
}

describe("a temporary project", () => {
  it("runs the program in its folder with the Node.js of the tests", async () => {
    await withProject(async (project) => {
      const shown = await show(project);
      expect(shown).toMatchObject({ args: ["two words"], cwd: project.folder, execPath: process.execPath });
    });
  });

  it("shows the program its own home and Pi directory, and no key or proxy of this machine", async () => {
    vi.stubEnv("DEEPSEEK_API_KEY", "secret");
    vi.stubEnv("HTTPS_PROXY", "http://proxy.invalid");
    vi.stubEnv("NODE_OPTIONS", "--no-warnings");
    try {
      await withProject(async (project) => {
        const { env } = await show(project, { env: { EXTRA: "1" }, crashAt: "answer_recorded:2" });
        expect(env).toMatchObject({
          HOME: project.home,
          PI_CODING_AGENT_DIR: project.agentDir,
          EXTRA: "1",
          HYPO_CRASH_AT: "answer_recorded:2",
        });
        const inherited = Object.keys(env).filter((name) => /KEY|TOKEN|PROXY|NODE_OPTIONS|VITEST/i.test(name));
        expect(inherited).toEqual([]);
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("writes a configuration that hypo's schema accepts", async () => {
    await withProject(async (project) => {
      await project.writeConfig({ subagent_model: "inherit", gateway: { allow_hosts: ["127.0.0.1:80"] }, limits: { depth: 3 } });
      const config = Config.parse(parse(await readFile(join(project.folder, ".hypo/config.yaml"), "utf8")));
      expect(config).toMatchObject({ subagent_model: "inherit", limits: { depth: 3, children: 8 } });
    });
  });

  it("is removed with what still runs in it, also when the test fails", async () => {
    const left: { folder?: string; pid?: number } = {};
    const failing = withProject(async (project) => {
      const running = project.start(["wait"], { program });
      await running.line((line) => line === "step 1");
      Object.assign(left, { folder: project.folder, pid: running.pid });
      throw new Error("the test failed");
    });
    await expect(failing).rejects.toThrow("the test failed");
    await expect(stat(left.folder ?? "")).rejects.toThrow("ENOENT");
    expect(() => process.kill(left.pid ?? 0, 0)).toThrow("ESRCH");
  });
});

describe("running a program", () => {
  it("gives exit code, output and errors", async () => {
    await withProject(async (project) => {
      expect(await runEcho(project, ["fail", "3"])).toEqual({ code: 3, signal: null, stdout: "", stderr: "it went wrong\n" });
    });
  });

  it("sends input and closes it", async () => {
    await withProject(async (project) => {
      const result = await runEcho(project, ["read"], { stdin: "a\nb\n" });
      expect(result).toMatchObject({ code: 0, stdout: "read a\nread b\n" });
    });
  });

  it("kills the program with -9 after a time", async () => {
    await withProject(async (project) => {
      expect(await runEcho(project, ["wait"], { killAfter: 400 })).toMatchObject({ code: null, signal: "SIGKILL" });
    });
  });

  it("kills the program with -9 at a line of either stream, once that line is complete", async () => {
    await withProject(async (project) => {
      const result = await runEcho(project, ["wait"], { killWhen: (line, stream) => line === "unfinished" && stream === "stdout" });
      expect(result).toMatchObject({ signal: "SIGKILL", stdout: "step 2\nunfinished\n" });
      expect(await runEcho(project, ["wait"], { killWhen: (line) => line === "step 1" })).toMatchObject({ signal: "SIGKILL" });
    });
  });

  it("waits for a line, passes a signal on and sees the exit", async () => {
    await withProject(async (project) => {
      const running = project.start(["wait"], { program });
      expect(await running.line((line) => line.startsWith("unfinished"))).toBe("unfinished");
      expect(await running.line((line) => line === "step 1")).toBe("step 1");
      running.kill("SIGINT");
      expect(await running.ended).toMatchObject({ code: 130, stderr: "step 1\ninterrupted\n" });
    });
  });

  it("says what the output was when the awaited line never comes", async () => {
    await withProject(async (project) => {
      const running = project.start(["fail", "1"], { program });
      await expect(running.line((line) => line === "ready")).rejects.toThrow(/without such a line[\s\S]*it went wrong/);
    });
  });

  it("fails with the output so far when the program does not end in time", async () => {
    await withProject(async (project) => {
      await expect(runEcho(project, ["wait"], { timeoutMs: 1500 })).rejects.toThrow(/still running after 1500 ms[\s\S]*step 2/);
    });
  });

  it("takes the program's children along when it does not end in time", async () => {
    await withProject(async (project) => {
      const ticks = join(project.folder, "ticks");
      await expect(runEcho(project, ["parent", ticks], { timeoutMs: 1500 })).rejects.toThrow("still running");
      const { size } = await stat(ticks);
      await sleep(200);
      expect((await stat(ticks)).size).toBeLessThanOrEqual(size + 1);
    });
  });

  it.skipIf(!IS_COMPILED)("runs the binary of this checkout where no other program is named", async () => {
    await withProject(async (project) => {
      const { version } = JSON.parse(await readFile(new URL("../../../package.json", import.meta.url), "utf8")) as { version: string };
      const result = await project.hypo(["--version"]);
      expect(HYPO.endsWith("/bin/hypo.js")).toBe(true);
      expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining(version) as string });
    });
  });
});

describe("what a run left behind", () => {
  const RUN = "20260102-030405-which-sort-00ff";
  const FACTS = [
    { v: 1, branch: "main", head: 0, reason: "start", at: "t" },
    { v: 1, seq: 1, parent: 0, branch: "main", at: "t", type: "model_answered", data: { agent: "root", index: 0 } },
    { v: 1, seq: 2, parent: 1, branch: "main", at: "t", type: "tool_started", data: { agent: "root", call: "c" } },
  ];

  async function leaveRun(project: Project, id: string, journal: string): Promise<void> {
    const folder = join(project.folder, ".hypo/runs", id);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "journal.jsonl"), journal);
    await writeFile(join(folder, "report.md"), "# Answer\n");
    await writeFile(join(folder, "report.json"), '{"v":1}');
    await writeFile(join(folder, "status.json"), '{"state":"complete"}');
  }

  const lines = FACTS.map((record) => `${JSON.stringify(record)}\n`).join("");

  it("is read from the run's folder, without a last line that kill -9 tore", async () => {
    await withProject(async (project) => {
      await leaveRun(project, RUN, `${lines}{"v":1,"seq":3,"par`);
      const run = await project.run();
      expect(run.id).toBe(RUN);
      expect(await run.records()).toHaveLength(3);
      expect((await run.facts()).map(({ seq }) => seq)).toEqual([1, 2]);
      expect((await run.factsOf("tool_started")).map(({ data }) => data.call)).toEqual(["c"]);
      expect(await run.recordedAnswers()).toEqual([{ agent: "root", assistantMessages: 0 }]);
      expect([await run.report(), await run.reportJson(), await run.status()]).toEqual(["# Answer\n", { v: 1 }, { state: "complete" }]);
    });
  });

  it("names the line of a journal that is damaged elsewhere", async () => {
    await withProject(async (project) => {
      await leaveRun(project, RUN, `${lines}garbage\n${lines}`);
      await expect((await project.run()).facts()).rejects.toThrow("journal.jsonl:4 is not JSON: garbage");
    });
  });

  it("is found by id where there are several runs, and not guessed", async () => {
    const later = "20260102-030406-which-sort-0001";
    await withProject(async (project) => {
      expect(await project.runIds()).toEqual([]);
      await expect(project.run()).rejects.toThrow("expected one run, found 0");
      await leaveRun(project, later, lines);
      await leaveRun(project, RUN, lines);
      expect(await project.runIds()).toEqual([RUN, later]);
      await expect(project.run()).rejects.toThrow("expected one run, found 2");
      expect((await project.run(later)).id).toBe(later);
    });
  });

  it("includes the notes in memory", async () => {
    await withProject(async (project) => {
      expect(await project.notes()).toEqual([]);
      await mkdir(join(project.folder, ".hypo/memory/findings"), { recursive: true });
      await writeFile(join(project.folder, ".hypo/memory/findings/f-1.md"), "A finding.\n");
      await writeFile(join(project.folder, ".hypo/memory/findings/f-1.md.tmp"), "torn");
      expect(await project.notes()).toEqual([{ path: "findings/f-1.md", text: "A finding.\n" }]);
    });
  });
});
