import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readPlanFile } from "../../../src/cli/commands/plan-file.ts";

const PLAN = `hypothesis: The mean of the numbers is below their count.
title: Mean
method: Compute it.
metrics:
  - { name: mean, tolerance: 0.001 }
success_criterion: metrics.mean < 1
refutation_criterion: metrics.mean >= 1
`;

function read(content: string | Uint8Array) {
  const folder = mkdtempSync(join(tmpdir(), "hypo plan é "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "plan.yaml");
  writeFileSync(path, content);
  return readPlanFile(path);
}

describe("a plan file", () => {
  it("is read with what it leaves out filled in", async () => {
    expect(await read(`\uFEFF${PLAN}`)).toMatchObject({ title: "Mean", metrics: [{ name: "mean", type: "double" }], seeds: [0] });
  });

  it("may be JSON", async () => {
    const plan = await read(PLAN);
    expect(await read(JSON.stringify(plan))).toEqual(plan);
  });

  it.each([
    ["is empty", "", /is empty\.$/],
    ["is a comment alone", "# nothing\n", /is empty\.$/],
    ["is a list", "- a\n", /expected object, received array/],
    ["is no text", Buffer.from([0x74, 0xff]), /is not UTF-8 text\.$/],
    ["has no end", "#".repeat(1024 * 1024 + 1), /has more than 1048576 bytes\.$/],
    ["names a key twice", `${PLAN}title: Again\n`, /plan\.yaml is not YAML: Map keys must be unique at line 8, column 1\.$/],
    ["has a tag that nobody knows", PLAN.replace("Mean", "!!foo Mean"), /is not YAML: Unresolved tag: .*foo at line 2, column 8\.$/],
    ["holds two plans", `${PLAN}---\n${PLAN}`, /holds several documents; a plan is one\.$/],
    ["refers to what is not there", PLAN.replace("Mean", "*mean"), /is not YAML: Unresolved alias/],
    ["has a field that plans have not", `${PLAN}metric: x\n`, /Unrecognized key: "metric"/],
    [
      "names a metric that would be lost",
      PLAN.replace("name: mean", "name: __proto__"),
      /a name of letters, digits and _, other than __proto__/,
    ],
  ])("that %s is refused, with the place where there is one", async (_what, content, problem) => {
    await expect(read(content)).rejects.toMatchObject({ code: "plan_invalid", exitCode: 2, message: expect.stringMatching(problem) });
  });

  it("that is not there, or is a folder, is a mistake of the command", async () => {
    await expect(readPlanFile("/nowhere/plan.yaml")).rejects.toMatchObject({ code: "usage", message: expect.stringContaining("ENOENT") });
    await expect(readPlanFile(tmpdir())).rejects.toMatchObject({ code: "usage", message: expect.stringContaining("EISDIR") });
  });
});
