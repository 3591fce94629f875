import { execFileSync, spawn } from "node:child_process";
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeNamedOutput } from "../../../src/files/named-output.ts";

describe("a file that a person named for results", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "hypo-output-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is made, and replaced as a whole", async () => {
    const path = join(folder, "new", "r.jsonl");
    await writeNamedOutput(path, "1\n");
    await writeNamedOutput(path, "2\n");
    expect(await readFile(path, "utf8")).toBe("2\n");
  });

  it("is no folder, which stays as it is", async () => {
    await mkdir(join(folder, "results"));
    await expect(writeNamedOutput(join(folder, "results"), "x")).rejects.toThrow(/results is a folder/);
    expect(await readdir(folder)).toEqual(["results"]);
  });

  it("is written behind a link, which stays one", async () => {
    await writeFile(join(folder, "real"), "old");
    await symlink("real", join(folder, "link"));
    await writeNamedOutput(join(folder, "link"), "new");
    expect(await readFile(join(folder, "real"), "utf8")).toBe("new");
    expect(await readlink(join(folder, "link"))).toBe("real");
  });

  it("is made behind links that lead nowhere yet, which stay links, as a shell's redirection does", async () => {
    await mkdir(join(folder, "out"));
    await mkdir(join(folder, "links"));
    await symlink("../out/real", join(folder, "links", "second"));
    await symlink("links/second", join(folder, "first"));
    await writeNamedOutput(join(folder, "first"), "new");
    expect(await readFile(join(folder, "out", "real"), "utf8")).toBe("new");
    expect(await readlink(join(folder, "first"))).toBe("links/second");
    expect(await readlink(join(folder, "links", "second"))).toBe("../out/real");
  });

  it.each([
    ["into a folder that is not there", "not-mounted/real", /the folder of that is not there/],
    ["in a circle", "link", /links lead round in a circle/],
  ])("is refused behind a link %s, and nothing is changed", async (_where, target, problem) => {
    await symlink(target, join(folder, "link"));
    await expect(writeNamedOutput(join(folder, "link"), "x")).rejects.toMatchObject({ code: "storage_failed", message: problem });
    expect(await readdir(folder)).toEqual(["link"]);
    expect(await readlink(join(folder, "link"))).toBe(target);
  });

  it("is written into where it is a pipe, and stays one", async () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const reader = spawn("cat", [path], { stdio: ["ignore", "pipe", "inherit"] });
    // Listened to at once: what nobody listens to is dropped when the reader ends.
    const read = text(reader.stdout);
    await writeNamedOutput(path, "through\n");
    expect(await read).toBe("through\n");
    expect((await lstat(path)).isFIFO()).toBe(true);
  });
});
