import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { hypoFor } from "../../../src/cli/project/hypo-for.ts";
import { withProject } from "../../../src/cli/project/fresh-project.ts";
import { chooseProject, findProject, makeProject } from "../../../src/cli/project/project.ts";
import { testFolder } from "./test-project.ts";

describe("the project of a folder", () => {
  it("is the nearest .hypo from it upwards, never a file of that name", async () => {
    const root = testFolder();
    const deep = join(root, "a", "b");
    mkdirSync(deep, { recursive: true });
    mkdirSync(join(root, ".hypo"));
    writeFileSync(join(root, "a", ".hypo"), "");
    expect(await findProject(deep)).toEqual({ root, state: join(root, ".hypo") });
  });

  it("is made where there is none, for the person alone, and keeps runs out of git", async () => {
    const root = testFolder();
    const { state } = await chooseProject(root);
    expect(existsSync(state)).toBe(false);
    await makeProject({ root, state });
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(state, ".gitignore"), "utf8")).toContain("/runs/\n");
  });

  it("keeps a .gitignore that the person changed", async () => {
    const root = testFolder();
    mkdirSync(join(root, ".hypo"));
    writeFileSync(join(root, ".hypo", ".gitignore"), "mine\n");
    await makeProject(await chooseProject(root));
    expect(readFileSync(join(root, ".hypo", ".gitignore"), "utf8")).toBe("mine\n");
  });
});

describe("a project made for a command", () => {
  const refuse = () => Promise.reject(new Error("refused"));

  it("is taken away again where the command is refused and has put nothing into it", async () => {
    const project = await chooseProject(testFolder());
    const use = async () => {
      mkdirSync(join(project.state, "sources", "ab"), { recursive: true });
      writeFileSync(join(project.state, "sources.sqlite-wal"), "derived");
      await refuse();
    };
    await expect(withProject(project, use)).rejects.toThrow("refused");
    expect(existsSync(project.state)).toBe(false);
  });

  it.each([
    ["a source", "sources/ab/cd"],
    ["a run of another process", "runs/20260301-120000-why-0a1b/meta.json"],
    ["a configuration", "config.yaml"],
    ["what hypo does not know", "mine"],
  ])("stays where %s is in it", async (_what, path) => {
    const project = await chooseProject(testFolder());
    const use = async () => {
      mkdirSync(dirname(join(project.state, path)), { recursive: true });
      writeFileSync(join(project.state, path), "");
      await refuse();
    };
    await expect(withProject(project, use)).rejects.toThrow("refused");
    expect(existsSync(join(project.state, path))).toBe(true);
    expect(existsSync(join(project.state, ".gitignore"))).toBe(true);
  });

  it("stays, empty as it is, where it was there before", async () => {
    const project = await chooseProject(testFolder());
    await makeProject(project);
    await expect(withProject(project, refuse)).rejects.toThrow("refused");
    expect(existsSync(project.state)).toBe(true);
  });
});

describe("a command that is advised", () => {
  it.each([
    ["in the project", "/p", "/p", "hypo"],
    ["below it", "/p", "/p/src/deep", "hypo"],
    ["in a folder whose name begins with dots", "/p", "/p/..notes", "hypo"],
    ["above it", "/p/hypo-demo", "/p", "hypo -C hypo-demo"],
    ["beside it", "/p/a", "/p/b", "hypo -C ../a"],
    ["above one with odd letters", "/p/it's é", "/p", "hypo -C 'it'\\''s é'"],
  ])("is for the project, called %s", (_where, root, cwd, expected) => {
    expect(hypoFor({ root }, cwd)).toBe(expected);
  });
});
