import { createServer } from "node:http";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SCRIPTED_MODEL } from "../support/agent-dir.ts";
import { withProject } from "../support/hypo.ts";
import { listenOnLoopback } from "../support/loopback.ts";

const NO_ENGINE = { DOCKER_HOST: "unix:///nowhere/docker.sock" };

describe("hypo run --dry-run", { timeout: 120_000 }, () => {
  it("says what a run would go on with, asks no model, and records nothing", async () => {
    let asked = 0;
    const { origin, close } = await listenOnLoopback(
      createServer((_request, response) => {
        asked += 1;
        response.writeHead(500).end();
      }),
    );
    await withProject(async (project) => {
      await project.useModel(`${origin}/v1`);
      await project.writeConfig({ subagent_model: "inherit", search: { searxng_url: origin, openalex_key: "s3cret" } });
      const told = await project.hypo(["run", "--dry-run", "--json", "--max-cost", "1.5", "why?"], { env: NO_ENGINE });
      expect(told.code).toBe(0);
      expect(JSON.parse(told.stdout)).toMatchObject({
        v: 1,
        project: project.folder,
        models: {
          supervisor: { model: SCRIPTED_MODEL, usd_per_million_tokens: { input: 1, output: 10 } },
          subagent: { model: SCRIPTED_MODEL },
          thinking: "off",
        },
        limits: { depth: 6 },
        budget: { usd: 1.5 },
        gateways: { searxng_url: origin, firecrawl_url: null },
        sandbox: { available: false, hint: expect.stringContaining("Start Docker") },
      });
      expect(told.stdout + told.stderr).not.toMatch(/s3cret|scripted-key/);
      await rm(join(project.folder, ".hypo"), { recursive: true });
      const inWords = await project.hypo(["run", "--dry-run"], { env: { ...NO_ENGINE, HYPO_SUBAGENT_MODEL: "inherit" } });
      expect(inWords.stdout).toMatch(/^Supervisor +scripted\/scripted, \$1 in and \$10 out per million tokens/m);
      expect(inWords.stdout).toMatch(/^Budget +at most \$5\.00, 20M tokens, 4 h/m);
      expect(await readdir(project.folder)).toEqual([]);
    });
    await close();
    expect(asked).toBe(0);
  });

  it("looks at the material and says how much of it there is, without fetching any", async () => {
    await withProject(async (project) => {
      await project.useModel("http://127.0.0.1:9/v1");
      const env = { ...NO_ENGINE, HYPO_SUBAGENT_MODEL: "inherit" };
      await mkdir(join(project.folder, "papers"));
      for (const name of ["notes.md", "papers/a.md", "papers/b.md"]) await writeFile(join(project.folder, name), "Words.");
      const given = ["notes.md", "papers", "http://127.0.0.1:9/page"].flatMap((each) => ["--context", each]);
      const told = await project.hypo(["run", "--dry-run", ...given], { env });
      expect(told.stdout).toMatch(
        /^Context +notes\.md, 1 file\nContext +papers, 2 files\nContext +http:.*\/page, which would be read then$/m,
      );
      const missing = await project.hypo(["run", "--dry-run", "--context", "no/such.md"], { env });
      expect(missing).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("There is no file or folder") });
    });
  });

  it("refuses what the run would refuse, with the same exit code", async () => {
    await withProject(async (project) => {
      await project.useModel("http://127.0.0.1:9/v1", { apiKey: null });
      expect(await project.hypo(["run", "--dry-run"])).toMatchObject({
        code: 4,
        stderr: expect.stringContaining("no credentials for scripted"),
      });
      expect(await project.hypo(["run", "--dry-run", "--detach", "why?"])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--dry-run starts nothing"),
      });
    });
  });
});
