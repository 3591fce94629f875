import { pipeline } from "node:stream/promises";
import { extract } from "tar-stream";
import { describe, expect, it } from "vitest";
import { TestPlan } from "../../../src/domain/experiment.ts";
import { canonicalJson } from "../../../src/domain/hash.ts";
import { collectInputs, countEntries, describeInputs, packInputs } from "../../../src/sandbox/inputs.ts";

const plan = TestPlan.parse({
  hypothesis: "h-1",
  title: "t",
  method: "m",
  metrics: [{ name: "x" }],
  image: "i",
  success_criterion: "metrics.x < 1",
  refutation_criterion: "metrics.x > 1",
});
const collect = (code: Record<string, string>, data: Record<string, Uint8Array> = {}) => collectInputs({ code, data, plan });

describe("the files of an experiment", () => {
  it("are its code, its plan and its data, packed read-only as root's", async () => {
    const files = collect({ "src/a/main.py": "print()" }, { "d.csv": Buffer.from("1,2") });
    expect(describeInputs(files).map(({ path, size }) => [path, size])).toEqual([
      ["data/d.csv", 3],
      ["plan.json", canonicalJson(plan).length],
      ["src/a/main.py", 7],
    ]);
    const entries: string[] = [];
    const tar = extract();
    tar.on("entry", (header, body, next) => {
      entries.push(`${header.type} ${header.name} ${(header.mode ?? 0).toString(8)} ${header.uid}:${header.gid}`);
      body.on("end", next).resume();
    });
    await pipeline(await packInputs(files), tar);
    expect(entries).toEqual([
      "directory data 555 0:0",
      "directory src 555 0:0",
      "directory src/a 555 0:0",
      "file plan.json 444 0:0",
      "file src/a/main.py 444 0:0",
      "file data/d.csv 444 0:0",
    ]);
    expect(countEntries(files)).toBe(6);
  });

  it.each([
    ["../main.py", /empty, \. or \.\. part/],
    ["/main.py", /absolute/],
    ["a/./b", /empty, \. or \.\. part/],
    ["", /empty/],
    ["a\\b", /backslashes/],
    ["a\u0000b", /control characters/],
    ["plan.json", /taken/],
    ["PLAN.json", /taken/],
    ["data/x", /data files are/],
    ["data", /data files are/],
    [`${"a/".repeat(16)}x`, /16 folders/],
  ])("cannot be called %j", (name, problem) => {
    expect(() => collect({ [name]: "" })).toThrow(problem);
  });

  it("cannot be a file and a folder at once", () => {
    expect(() => collect({ lib: "", "lib/a.py": "" })).toThrow(/lib is a file already/);
  });

  it("cannot be too large or too many", () => {
    expect(() => collect({ "a.py": "x".repeat(17 * 1024 * 1024) })).toThrow(/at most 16777216/);
    expect(() => collect(Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`${index}.py`, ""])))).toThrow(/at most 2000/);
  });
});
