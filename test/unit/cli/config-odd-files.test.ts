import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfigFile } from "../../../src/cli/config/config-file.ts";
import { configSetCommand } from "../../../src/cli/commands/config-set.ts";
import { testIo } from "./test-io.ts";
import { testFolder } from "./test-project.ts";

/** Nine lists, each of ten aliases of the one before it: a billion values. */
const BOMB = [
  "a: &a [x,x,x,x,x,x,x,x,x,x]",
  ..."bcdefghi".split("").map((name, at) => `${name}: &${name} [${aliases("abcdefgh"[at] ?? "")}]`),
];

function aliases(name: string): string {
  return Array.from({ length: 10 }, () => `*${name}`).join(",");
}

describe("a configuration file that is none", () => {
  it("is refused at once where it is a pipe that nobody writes to", async () => {
    const path = join(testFolder(), "config.yaml");
    execFileSync("mkfifo", [path]);
    await expect(readConfigFile(path)).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("no regular file"),
    });
  });

  it("is refused where its aliases unfold without end", async () => {
    const path = join(testFolder(), "config.yaml");
    writeFileSync(path, BOMB.join("\n"));
    await expect(readConfigFile(path)).rejects.toMatchObject({ code: "config_invalid", message: expect.stringContaining(path) });
  });
});

describe("an address with a password", () => {
  it("is kept whole and shown without it", async () => {
    const root = testFolder();
    mkdirSync(join(root, ".hypo"));
    const io = testIo({ cwd: root, env: { HOME: root } });
    const given = { json: true, debug: false, agentDir: undefined, project: false };
    await configSetCommand({ ...given, key: "search.searxng_url", value: "http://me:secret@localhost:8080/" }, io);
    expect(io.out()).toContain("http://me:***@localhost:8080/");
    expect(`${io.out()}${io.err()}`).not.toContain("secret");
    expect(await readConfigFile(join(root, ".config", "hypo", "config.yaml"))).toMatchObject({
      tree: { search: { searxng_url: "http://me:secret@localhost:8080/" } },
    });
  });
});
