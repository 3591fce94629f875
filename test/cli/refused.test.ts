import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withProject } from "../support/hypo.ts";

describe("a command that is refused leaves a folder without a project as it was", () => {
  it.each([
    ["a run without a model", ["run", "Why?"], "has no default model"],
    ["a run in the background without a model", ["run", "--detach", "Why?"], "has no default model"],
    ["a setting that there is not", ["config", "set", "--project", "limits.dept", "3"], "There is no setting"],
    ["a note without a title", ["memory", "add", "…"], "needs a title"],
    ["a source that is not there", ["sources", "add", "missing.txt"], "There is no file or folder"],
    ["to go on with a run where there is none", ["resume", "last"], "There is no hypo project here"],
  ])("%s", async (_what, args, told) => {
    await withProject(async (project) => {
      const cwd = join(project.home, "empty");
      await mkdir(cwd);
      const { code, stderr } = await project.hypo(args, { cwd });
      expect(stderr).toContain(told);
      expect(code).not.toBe(0);
      expect(await readdir(cwd)).toEqual([]);
    });
  });

  it("a run whose material cannot be fetched", async () => {
    await withProject(async (project) => {
      await project.useModel("http://127.0.0.1:9/v1");
      const cwd = join(project.home, "empty");
      await mkdir(cwd);
      const args = ["run", "--context", "http://127.0.0.1:9/page", "Why?"];
      const { code, stderr } = await project.hypo(args, { cwd, env: { HYPO_SUBAGENT_MODEL: "inherit" } });
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining("127.0.0.1")]);
      expect(code).not.toBe(0);
      expect(await readdir(cwd)).toEqual([]);
    });
  });
});
