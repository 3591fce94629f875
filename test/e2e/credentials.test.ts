import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writeAgentDir } from "../support/agent-dir.ts";
import { withProject, type Project } from "../support/hypo.ts";
import type { ProgramResult } from "../support/program.ts";
import { answerAlone } from "./support/parts.ts";
import { askQuestion, QUESTION, withWorld } from "./support/world.ts";

const NOWHERE = "http://127.0.0.1:1/v1";

/** What `hypo run` says in a project whose Pi directory is broken in one way. Nothing may be asked or started. */
async function runIn(prepare: (project: Project) => Promise<void>, args: string[] = []): Promise<ProgramResult & { runs: string[] }> {
  return withProject(async (project) => {
    await project.writeConfig({ subagent_model: "inherit" });
    await prepare(project);
    return { ...(await project.hypo(["run", QUESTION, ...args])), runs: await project.runIds() };
  });
}

const writeTo = (project: Project, name: string, text: string): Promise<void> => writeFile(join(project.agentDir, name), text);

describe("models and credentials that cannot be used", () => {
  it("without any key say how to get one, and that the demo needs none", async () => {
    const refused = await runIn(() => Promise.resolve());
    expect(refused).toMatchObject({ code: 4, stdout: "", runs: [] });
    expect(refused.stderr).toMatch(/`pi`.*`\/login`[\s\S]*`hypo demo`/);
  });

  it("say which models there are where the one asked for is unknown", async () => {
    const refused = await runIn((project) => project.useModel(NOWHERE), ["--model", "scripted/scriptd"]);
    expect(refused).toMatchObject({ code: 2, runs: [] });
    expect(refused.stderr).toContain("Pi knows no model scripted/scriptd (the model chosen).");
    expect(refused.stderr).toContain("scripted has for example: scripted/scripted.");
  });

  it("put names that are close first", async () => {
    const refused = await runIn((project) => project.useModel(NOWHERE), ["--model", "deepseek/flash"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/deepseek has for example: deepseek\/deepseek[-\w.]*flash/);
  });

  it.each([
    ["models.json", '{"providers": {'],
    ["settings.json", '{"defaultProvider": '],
  ])("name %s where it is broken", async (name, text) => {
    const refused = await runIn(async (project) => {
      await project.useModel(NOWHERE);
      await writeTo(project, name, text);
    });
    expect(refused).toMatchObject({ code: 2, runs: [] });
    expect(refused.stderr).toContain(name);
  });

  it("are not replaced by another provider's where the default one has no key", async () => {
    const refused = await runIn(async (project) => {
      await writeAgentDir(project.agentDir, NOWHERE, { settings: { defaultProvider: "deepseek", defaultModel: "deepseek-flash" } });
    });
    expect(refused).toMatchObject({ code: 4, runs: [] });
    expect(refused.stderr).toContain("There are no credentials for deepseek, which Pi's default model (deepseek/deepseek-flash) needs.");
    expect(refused.stderr).toContain("DEEPSEEK_API_KEY");
  });

  it("are not replaced by the supervisor's for the children", async () => {
    const refused = await runIn(async (project) => {
      await project.useModel(NOWHERE);
      await project.writeConfig({});
    });
    expect(refused).toMatchObject({ code: 4, runs: [] });
    expect(refused.stderr).toContain("There are no credentials for deepseek, which subagent_model (deepseek/deepseek-flash) needs.");
    expect(refused.stderr).toContain("--subagent-model inherit");
  });
});

describe("a person's Pi directory", () => {
  const KEY = "sk-scripted-0123456789-secret";
  let ended: ProgramResult;
  let agentFiles: string[];
  let written: { path: string; text: string }[];
  let sentKeys: (string | undefined)[];

  beforeAll(async () => {
    await withWorld(answerAlone, async (world) => {
      const { project, model } = world;
      const trap = (name: string): string =>
        `import { writeFileSync } from "node:fs";\nexport default function () { writeFileSync(${JSON.stringify(join(project.agentDir, name))}, "loaded"); }\n`;
      const packaged = join(project.home, "packaged");
      await project.useModel(model.url, {
        apiKey: KEY,
        settings: { packages: [packaged, "npm:hypo-test-package-that-is-not-there"], extensions: [join(project.home, "listed.ts")] },
      });
      for (const folder of [join(project.agentDir, "extensions"), join(project.folder, ".pi/extensions"), join(packaged, "extensions")])
        await mkdir(folder, { recursive: true });
      await writeFile(
        join(packaged, "package.json"),
        JSON.stringify({ name: "packaged", version: "1.0.0", pi: { extensions: ["./extensions"] } }),
      );
      await writeFile(join(project.agentDir, "extensions/trap.ts"), trap("trapped-by-user"));
      await writeFile(join(project.folder, ".pi/extensions/trap.ts"), trap("trapped-by-project"));
      await writeFile(join(packaged, "extensions/trap.ts"), trap("trapped-by-package"));
      await writeFile(join(project.home, "listed.ts"), trap("trapped-by-settings"));
      ended = await askQuestion(world, ["--json"]);
      agentFiles = await readdir(project.agentDir, { recursive: true });
      written = await readAll(join(project.folder, ".hypo"));
      sentKeys = model.requests.map(({ request }) => request.headers.authorization);
    });
  });

  it("lends its key to the provider alone: no file and no output of hypo holds it", () => {
    expect(ended.code).toBe(0);
    expect(new Set(sentKeys)).toEqual(new Set([`Bearer ${KEY}`]));
    expect(written.length).toBeGreaterThan(8);
    expect(written.filter(({ text }) => text.includes(KEY)).map(({ path }) => path)).toEqual([]);
    expect(ended.stdout + ended.stderr).not.toContain(KEY);
  });

  it("has none of its extensions or packages loaded or installed", () => {
    expect(agentFiles.filter((name) => name.includes("trapped"))).toEqual([]);
    expect(agentFiles.filter((name) => /^(npm|git|node_modules)\b/.test(name))).toEqual([]);
  });
});

async function readAll(folder: string): Promise<{ path: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map(async (path) => ({ path, text: await readFile(path, "latin1") })));
}
