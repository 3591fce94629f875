import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProjectFiles } from "../../../src/domain/ports.ts";
import { createProjectFiles } from "../../../src/gateway/index.ts";
import { makeTemporaryFolder, realClock } from "./support/gateway.ts";

const FILES: Record<string, string> = {
  "README.md": "# Project\nneedle here\n",
  "src/main.ts": "export const needle = 1;\n// Needle\n",
  "src/deep/data.csv": "a,b\n1,2\n",
  "node_modules/x/index.js": "needle",
  ".git/config": "token = needle",
  ".git/HEAD": "ref: needle",
  ".hypo/runs/r/meta.json": "needle",
  ".env": "KEY=needle",
  ".env.local": "KEY=needle",
  "config/.ENV.Production": "KEY=needle",
  ".npmrc": "needle",
  ".netrc": "needle",
  ".git-credentials": "needle",
  "keys/id_rsa": "needle",
  "keys/id_ed25519.pub": "needle",
  "keys/server.PEM": "needle",
  "keys/server.key": "needle",
  "keys/store.p12": "needle",
  ".ssh/known_hosts": "needle",
  ".aws/credentials": "needle",
  "secrets.yaml": "needle",
  "agent/auth.json": "needle",
  "agent/settings.txt": "needle",
};

async function openProject(): Promise<{ files: ProjectFiles; folder: string; outside: string }> {
  const root = await makeTemporaryFolder();
  const folder = join(root, "project");
  const outside = join(root, "outside");
  for (const [name, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), "needle outside");
  await symlink(join(outside, "secret.txt"), join(folder, "link.txt"));
  await symlink(outside, join(folder, "linked"));
  await symlink(join(folder, ".env"), join(folder, "harmless.txt"));
  await symlink(join(folder, "README.md"), join(folder, "inside.md"));
  await symlink("/nowhere/at/all", join(folder, "dangling"));
  const files = createProjectFiles({ folder, closedFolders: [join(folder, "agent")], clock: realClock });
  return { files, folder, outside };
}

describe("the project's files", () => {
  it("are read, listed, searched and found", async () => {
    const { files, folder } = await openProject();
    expect(await files.read("README.md")).toBe("# Project\nneedle here\n");
    expect(await files.read(join(folder, "src/main.ts"))).toContain("needle");
    expect(await files.read("inside.md")).toContain("# Project");
    expect(await files.list("src")).toBe("deep/\nmain.ts");
    expect(await files.grep("needle")).toBe("README.md:2: needle here\nsrc/main.ts:1: export const needle = 1;");
    expect(await files.grep("needle", { ignoreCase: true, glob: "*.ts" })).toBe(
      "src/main.ts:1: export const needle = 1;\nsrc/main.ts:2: // Needle",
    );
    expect(await files.grep("needle", { path: "src/deep" })).toBe("[no matches]");
    expect(await files.grep("^a,b$", { path: "src/deep/data.csv" })).toBe("src/deep/data.csv:1: a,b");
    expect(await files.find("*.csv")).toBe("src/deep/data.csv");
    expect(await files.find("src/**/*.ts")).toBe("src/main.ts");
    expect(await files.find("*.nothing")).toBe("[no files]");
    expect(Buffer.from(await files.bytes("src/deep/data.csv")).toString()).toBe("a,b\n1,2\n");
  });

  it.each([
    "../outside/secret.txt",
    "/etc/passwd",
    "src/../../outside/secret.txt",
    "link.txt",
    "linked/secret.txt",
    "linked",
    "harmless.txt",
    ".env",
    ".env.local",
    "config/.ENV.Production",
    "config/../.env",
    ".npmrc",
    ".netrc",
    ".git-credentials",
    ".git/config",
    ".git/HEAD",
    "keys/id_rsa",
    "keys/id_ed25519.pub",
    "keys/server.PEM",
    "keys/server.key",
    "keys/store.p12",
    ".ssh/known_hosts",
    ".aws/credentials",
    "secrets.yaml",
    "agent/auth.json",
    "agent/settings.txt",
    "agent",
    "README.md\0.txt",
  ])("stay closed at %j", async (path) => {
    const { files } = await openProject();
    for (const access of [
      () => files.read(path),
      () => files.bytes(path),
      () => files.list(path),
      () => files.grep("needle", { path }),
      () => files.find("*", { path }),
    ]) {
      await expect(access()).rejects.toMatchObject({ code: "path_refused" });
    }
  });

  it("show nothing of what is closed in lists and searches", async () => {
    const { files } = await openProject();
    const seen = [
      await files.list("."),
      await files.list("keys"),
      await files.grep("needle|KEY"),
      await files.find("**/*"),
      await files.find("*"),
    ].join("\n");
    expect(seen).not.toMatch(
      /\.env|id_rsa|\.pem|\.key|npmrc|netrc|credentials|secrets|auth\.json|settings\.txt|outside|\.git|node_modules\/x/i,
    );
  });

  it("end politely where nothing is", async () => {
    const { files } = await openProject();
    await expect(files.read("no/such.txt")).rejects.toMatchObject({ code: "not_found" });
    await expect(files.read("dangling")).rejects.toMatchObject({ code: "not_found" });
    await expect(files.read("src")).rejects.toMatchObject({ code: "usage" });
    await expect(files.list("README.md")).rejects.toMatchObject({ code: "usage" });
  });

  it("are read in parts", async () => {
    const { files, folder } = await openProject();
    await writeFile(join(folder, "long.txt"), Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join("\n"));
    expect(await files.read("long.txt", { offset: 10, limit: 2 })).toBe("line 10\nline 11\n[lines 11-12 of 5000; go on with offset 12]");
    expect((await files.read("long.txt")).split("\n")).toHaveLength(2_001);
    expect(await files.read("long.txt", { offset: 4_999 })).toBe("line 4999");
    await writeFile(join(folder, "wide.txt"), "x".repeat(200_000));
    expect((await files.read("wide.txt")).length).toBeLessThan(51_000);
  });

  it("are not read as text where they are binary, but as data", async () => {
    const { files, folder } = await openProject();
    await writeFile(join(folder, "data.bin"), Buffer.from([1, 0, 2]));
    await expect(files.read("data.bin")).rejects.toMatchObject({ code: "unsupported_type" });
    expect(await files.bytes("data.bin")).toEqual(Buffer.from([1, 0, 2]));
  });

  it("give a bounded number of matches, and say so", async () => {
    const { files, folder } = await openProject();
    await writeFile(join(folder, "many.txt"), "needle\n".repeat(1_000));
    const lines = (await files.grep("needle", { path: "many.txt", limit: 3 })).split("\n");
    expect(lines).toEqual(["many.txt:1: needle", "many.txt:2: needle", "many.txt:3: needle", "[more: 3 shown]"]);
  });

  it("survive a pattern that backtracks without end", async () => {
    const { files, folder } = await openProject();
    await writeFile(join(folder, "trap.txt"), `${"a".repeat(60)}!`);
    const started = performance.now();
    await expect(files.grep("^(a+)+$", { path: "trap.txt" })).rejects.toMatchObject({ code: "timeout" });
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  it.each(["(", "[a", "a{2,1}", "", "x".repeat(501)])("refuse the broken pattern %j", async (pattern) => {
    const { files } = await openProject();
    await expect(files.grep(pattern)).rejects.toMatchObject({ code: "usage" });
  });

  it("take patterns that only the lenient grammar allows", async () => {
    const { files } = await openProject();
    expect(await files.grep("needle\\-?", { path: "README.md" })).toBe("README.md:2: needle here");
  });
});
