import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hypoFor } from "../../../src/cli/project/hypo-for.ts";
import { findProject, openProject } from "../../../src/cli/project/project.ts";
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
    const { state } = await openProject(root);
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(state, ".gitignore"), "utf8")).toContain("/runs/\n");
  });

  it("keeps a .gitignore that the person changed", async () => {
    const root = testFolder();
    mkdirSync(join(root, ".hypo"));
    writeFileSync(join(root, ".hypo", ".gitignore"), "mine\n");
    await openProject(root);
    expect(readFileSync(join(root, ".hypo", ".gitignore"), "utf8")).toBe("mine\n");
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
