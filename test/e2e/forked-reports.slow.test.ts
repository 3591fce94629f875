import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/domain/events.ts";
import { withProject, type HypoOptions, type Project } from "../support/hypo.ts";

/** The rehearsal without a container engine, in its own project. */
const options: HypoOptions = { env: { DOCKER_HOST: "unix:///nonexistent/docker.sock" }, timeoutMs: 120_000 };

async function hypo(project: Project, args: string[], code = 0): Promise<string> {
  const ended = await project.hypo(["-C", "hypo-demo", ...args], options);
  expect(ended.code, `hypo ${args.join(" ")}\n${ended.stdout}\n${ended.stderr}`).toBe(code);
  return ended.stdout;
}

async function readFacts(project: Project): Promise<Fact[]> {
  const lines = (await hypo(project, ["log", "last", "--json"])).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Fact).filter((record) => "seq" in record);
}

async function divergences(project: Project): Promise<unknown[]> {
  const { stdout } = await project.hypo(["-C", "hypo-demo", "verify", "last", "--json"], options);
  return (JSON.parse(stdout) as { divergences: unknown[] }).divergences;
}

const seqOf = (facts: Fact[], type: Fact["type"]): number => facts.findLast((fact) => fact.type === type)?.seq ?? 0;

describe("branches begun at facts of a rehearsal", () => {
  it("all have reports that their facts give again, also those begun after the report and those at work side by side", async () => {
    await withProject(async (project) => {
      expect((await project.hypo(["demo"], options)).code).toBe(0);
      const facts = await readFacts(project);
      const written = seqOf(facts, "report_written");
      const points = {
        early: seqOf(facts.slice(0, 60), "finding_published"),
        late: seqOf(facts, "agent_finished"),
        drafted: written - 1,
        written,
        kept: seqOf(facts, "conclusion_kept"),
        over: seqOf(facts, "run_finished"),
      };
      for (const [name, from] of Object.entries(points)) await hypo(project, ["fork", "last", "--from", String(from), "--as", name]);
      expect(await divergences(project)).toEqual([]);
      await hypo(project, ["resume", "last", "--branch", "early", "--branch", "late"]);
      for (const branch of ["drafted", "written", "kept"]) {
        expect(await hypo(project, ["resume", "last", "--branch", branch])).toContain("## ");
      }
      expect(await divergences(project)).toEqual([]);
      // A branch that is put back behind a report of its own, and left there, has none to check.
      await hypo(project, ["rewind", "last", "--branch", "kept", "--to", String(written)]);
      await hypo(project, ["rewind", "last", "--branch", "early", "--to", String(points.early)]);
      expect(await divergences(project)).toEqual([]);
      // A report whose file is gone is written again by the branch that goes on after it.
      await hypo(project, ["rewind", "last", "--branch", "main", "--to", String(written)]);
      const { run } = JSON.parse(await hypo(project, ["show", "last", "--json"])) as { run: string };
      await rm(join(project.folder, "hypo-demo", ".hypo", "runs", run, "report.md"));
      expect(await hypo(project, ["resume", "last", "--branch", "main"])).toContain("## ");
      expect(await divergences(project)).toEqual([]);
    });
  });

  it("all have such reports where the run had been killed half-way", async () => {
    await withProject(async (project) => {
      expect(await project.hypo(["demo"], { ...options, crashAt: "tool.done:16" })).toMatchObject({ signal: "SIGKILL" });
      const { length } = await readFacts(project);
      await hypo(project, ["fork", "last", "--from", String(Math.floor(length / 2)), "--as", "half"]);
      await hypo(project, ["fork", "last", "--from", String(length), "--as", "end"]);
      await hypo(project, ["resume", "last", "--branch", "half", "--branch", "end", "--branch", "main"]);
      expect(await divergences(project)).toEqual([]);
    });
  });
});
