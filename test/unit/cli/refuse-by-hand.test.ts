import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { forkCommand } from "../../../src/cli/commands/fork.ts";
import { rewindCommand } from "../../../src/cli/commands/rewind.ts";
import { addRun, testFolder } from "./test-project.ts";
import { testIo } from "./test-io.ts";

const RUN = "20260301-120000-sorting-ab12";
const COMMON = { json: false, debug: false, agentDir: undefined, run: RUN };

describe("a run made by hand", () => {
  it.each([
    ["rewound", (cwd: string) => rewindCommand({ ...COMMON, ...REWIND }, testIo({ cwd }))],
    ["forked", (cwd: string) => forkCommand({ ...COMMON, from: 4, name: "side", reason: undefined }, testIo({ cwd }))],
  ])("is not %s: it is said what to do instead, and nothing moves", async (done, command) => {
    const root = testFolder();
    const folder = addRun(root, RUN);
    const meta = join(folder, "meta.json");
    writeFileSync(meta, JSON.stringify({ ...(JSON.parse(readFileSync(meta, "utf8")) as object), origin: "manual" }));
    await expect(command(root)).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining(`cannot be ${done}`) as string,
      hint: expect.stringContaining("hypo experiments run") as string,
    });
    expect(readdirSync(folder)).toEqual(["meta.json"]);
  });
});

const REWIND = {
  branch: "main",
  to: 4,
  toAgent: undefined,
  toIteration: undefined,
  toCompatible: false,
  mode: "after",
  reason: undefined,
  start: false,
} as const;
