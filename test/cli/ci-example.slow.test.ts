import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { answerAlone } from "../e2e/support/parts.ts";
import { withWorld, type World } from "../e2e/support/world.ts";
import { HYPO } from "../support/hypo.ts";

const PAGE = fileURLToPath(new URL("../../docs/ci.md", import.meta.url));

/** The fenced blocks of the page in a language. */
async function blocksOf(language: string): Promise<string[]> {
  const page = await readFile(PAGE, "utf8");
  return [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].filter(([, of]) => of === language).map(([, , block = ""]) => block);
}

/** The shell lines of the workflow, but for what installs hypo. */
async function workflowSteps(): Promise<string[]> {
  const [workflow = ""] = await blocksOf("yaml");
  const { jobs } = parse(workflow) as { jobs: { research: { steps: { run?: string }[] } } };
  return jobs.research.steps.flatMap(({ run }) => (run === undefined || run.startsWith("npm install") ? [] : [run]));
}

/** Runs a script as CI does, with a `hypo` on the path that is the built one; fails where it fails. */
async function shell({ project }: World, script: string): Promise<void> {
  const bin = join(project.home, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, "hypo"), `#!/bin/sh\nexec '${process.execPath}' '${HYPO}' "$@"\n`);
  await chmod(join(bin, "hypo"), 0o700);
  const PATH = [bin, dirname(process.execPath), project.env["PATH"]].join(":");
  const env = { ...project.env, PATH, CI: "true", GITHUB_STEP_SUMMARY: join(project.home, "step-summary.md") };
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], { cwd: project.folder, env, stdio: "pipe" });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (said += part.toString("utf8")));
  const code = await new Promise((resolve) => void child.once("close", resolve));
  if (code !== 0) throw new Error(`ended with ${String(code)}:\n${script}\n--- said\n${said}`);
}

describe("the examples for CI", () => {
  it("run as they stand: results, reports, summary and exports are there", async () => {
    await withWorld(answerAlone, async (world) => {
      const { project } = world;
      await writeFile(
        join(project.folder, "questions.csv"),
        'id,question,max_cost\nsort,"How many comparisons, at most,\ndoes merging need?",1\n',
      );
      const steps = await workflowSteps();
      expect(steps).toHaveLength(2);
      for (const step of steps) await shell(world, step);
      const read = (name: string): Promise<string> => readFile(join(project.folder, name), "utf8");
      const [result] = (await read("results.jsonl")).split("\n");
      const { id, status, run } = JSON.parse(result ?? "") as Record<string, string>;
      expect([id, status]).toEqual(["sort", "answered"]);
      expect(await read("report.xml")).toContain('name="sort"');
      expect(await readFile(join(project.home, "step-summary.md"), "utf8")).toContain("1 of 1 questions reached an answer");
      expect(await read(`reports/${run}.html`)).toContain("<html");
    });
  });

  it("run one question in a script", async () => {
    await withWorld(answerAlone, async (world) => {
      const { project } = world;
      await writeFile(join(project.folder, "question.md"), "How many comparisons\ndoes merge sort need?\n");
      const [script = ""] = await blocksOf("sh");
      await shell(world, script);
      const facts = await readFile(join(project.folder, "facts.jsonl"), "utf8");
      expect(
        facts
          .split("\n")
          .filter(Boolean)
          .map((line) => (JSON.parse(line) as { type: string }).type),
      ).toContain("run_finished");
      expect(await readFile(join(project.folder, "report.md"), "utf8")).toContain("How many comparisons does merge sort need?");
    });
  });
});
