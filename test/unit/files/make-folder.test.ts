import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeFolder } from "../../../src/files/atomic.ts";

it("folders below the same missing one can be made at once", async () => {
  const root = await mkdtemp(join(tmpdir(), "hypo-folders-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (let round = 0; round < 200; round += 1) {
    const below = ["", "lib", "lib/deep", "data"].map((name) => join(root, String(round), "source", name));
    await Promise.all(below.map((path) => makeFolder(path)));
    for (const path of below) expect((await stat(path)).isDirectory()).toBe(true);
  }
});
