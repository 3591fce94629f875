import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { SCRIPTED_MODEL } from "../support/agent-dir.ts";
import { withProject, type Project } from "../support/hypo.ts";
import { listenOnLoopback } from "../support/loopback.ts";

interface Line {
  name: string;
  status: "ok" | "warn" | "fail";
  detail: string;
  fix: string | null;
}

async function examine(project: Project, env: Record<string, string> = {}): Promise<{ code: number | null; text: string; lines: Line[] }> {
  const { code, stdout, stderr } = await project.hypo(["doctor", "--json"], { env });
  return { code, text: stdout + stderr, lines: (JSON.parse(stdout) as { checks: Line[] }).checks };
}

const NO_ENGINE = { DOCKER_HOST: "unix:///nowhere/docker.sock" };

describe("hypo doctor", { timeout: 120_000 }, () => {
  it("passes where all is there, and asks no model", async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      if (request.url?.startsWith("/v1") === true) asked += 1;
      response.setHeader("content-type", "application/json");
      const answer = request.url?.startsWith("/search") === true ? { results: [] } : { success: false, error: "no url" };
      response.writeHead(request.url?.startsWith("/search") === true ? 200 : 400).end(JSON.stringify(answer));
    });
    const { origin, close } = await listenOnLoopback(server);
    await withProject(async (project) => {
      await project.useModel(`${origin}/v1`);
      await project.writeConfig({
        subagent_model: SCRIPTED_MODEL,
        search: { searxng_url: origin },
        read: { firecrawl_url: origin, browser_url: origin },
      });
      const { code, lines, text } = await examine(project, NO_ENGINE);
      expect(lines.filter(({ status }) => status === "fail")).toEqual([]);
      expect(code).toBe(0);
      expect([...new Set(lines.map(({ name }) => name))].join(", ")).toBe(
        "node, configuration, pi directory, credentials, models, docker, searxng, firecrawl, browser adapter, state folder, disk, index",
      );
      expect(lines.filter(({ name }) => name === "models").map(({ detail }) => detail)).toEqual([
        "supervisor: scripted/scripted, $1 in and $10 out per million tokens",
        "subagent: scripted/scripted, $1 in and $10 out per million tokens",
      ]);
      expect(lines.find(({ name }) => name === "docker")).toMatchObject({ status: "warn", fix: expect.stringContaining("Start Docker") });
      expect(text).not.toContain("scripted-key");
      expect(await project.runIds()).toEqual([]);
    });
    await close();
    expect(asked).toBe(0);
  });

  it("names everything that is broken at once with the way to mend it, and exits 1", async () => {
    await withProject(async (project) => {
      await project.useModel("http://127.0.0.1:9/v1", { apiKey: null });
      await project.writeConfig({ subagent_model: "nobody/nothing", search: { searxng_url: "http://127.0.0.1:9" } });
      const { code, stdout, stderr } = await project.hypo(["doctor"], { env: { ...NO_ENGINE, HYPO_BUDGET_USD: "much" } });
      expect(code).toBe(1);
      expect(stdout).toMatch(/^fail {2}configuration .*HYPO_BUDGET_USD/m);
      expect(stdout).toMatch(/^fail {2}credentials .*no credentials for scripted/m);
      expect(stdout).toMatch(/^fail {2}models .*subagent: Pi knows no model nobody\/nothing/m);
      expect(stdout).toMatch(/^fail {2}searxng /m);
      expect(stdout).toMatch(/^ok {4}disk|^warn {2}disk/m);
      expect(stderr).toMatch(/^4 failed, /);
    });
  });
});
