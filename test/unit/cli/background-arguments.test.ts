import { describe, expect, it } from "vitest";
import { resumeArguments, runArguments } from "../../../src/cli/background/arguments.ts";
import { resumptionOf } from "../../../src/cli/background/hand-over.ts";
import { resume } from "../../../src/cli/definitions/resume.ts";
import { run } from "../../../src/cli/definitions/run.ts";
import { parseCommandLine } from "../../../src/cli/parse.ts";
import { testIo } from "./test-io.ts";

const CAPS = { maxCost: 0.5, maxTokens: 1000, maxMinutes: 2.5, maxAgents: 7, maxDepth: 0, maxIterations: 3 };
const CAP_VALUES = {
  "max-cost": "0.5",
  "max-tokens": "1000",
  "max-time": "2.5",
  "max-agents": "7",
  "max-depth": "0",
  "max-iterations": "3",
};
const COMMON = { json: true, debug: true, agentDir: "/pi dir" };

function parse(argv: string[]) {
  const parsed = parseCommandLine(argv, "1.2.3");
  if (parsed.kind !== "command") throw new Error(parsed.text);
  return { ...parsed, values: Object.fromEntries(parsed.values), globals: Object.fromEntries(parsed.globals) };
}

describe("the command line of a background process", () => {
  it("asks of it all that was asked of its parent, but for the question's source and the way results are shown", () => {
    const models = { model: "-odd/model", subagentModel: "inherit", thinking: "low" } as const;
    const context = ["my notes", "-x.md", "https://example.org/?a=1&b"];
    const options = {
      ...COMMON,
      ...CAPS,
      ...models,
      onGate: "fail",
      protocol: "survey",
      context,
      question: "--why?",
      file: undefined,
    } as const;
    const { definition, words, values, globals } = parse(runArguments({ ...options, context }));
    expect([definition.name, words, globals]).toEqual(["run", ["-"], { debug: true, "agent-dir": "/pi dir" }]);
    expect(values).toEqual({
      ...CAP_VALUES,
      model: "-odd/model",
      "subagent-model": "inherit",
      thinking: "low",
      "on-gate": "fail",
      protocol: "survey",
      context,
    });
    const passed = new Set([...Object.keys(values), "file", "detach", "dry-run"]);
    expect(run.options.map(({ name }) => name).filter((name) => !passed.has(name))).toEqual([]);
  });

  it("says the same for a run that is resumed", () => {
    const options = {
      ...COMMON,
      ...CAPS,
      maxCost: null,
      branches: ["main", "bolder"],
      acceptChanges: true,
      onGate: "exit",
      run: "last",
    } as const;
    const { words, values } = parse(resumeArguments({ ...options, branches: [...options.branches] }));
    expect(words).toEqual(["last"]);
    expect(values).toEqual({ ...CAP_VALUES, "max-cost": "none", branch: ["main", "bolder"], "on-gate": "exit", "accept-changes": true });
    const passed = new Set([...Object.keys(values), "detach"]);
    expect(resume.options.map(({ name }) => name).filter((name) => !passed.has(name))).toEqual([]);
  });

  it("passes on what was asked where a run is handed over", () => {
    const io = testIo();
    const options = { ...COMMON, io, project: { root: "/p", state: "/p/.hypo" }, onGate: "wait" } as const;
    const { words, values, globals } = parse(resumeArguments(resumptionOf({ id: "r", branches: [{ name: "main" }] }, options)));
    expect(words).toEqual(["r"]);
    expect(values).toEqual({ branch: ["main"], "on-gate": "wait" });
    expect(globals).toEqual({ debug: true, "agent-dir": "/pi dir" });
  });

  it("sets nothing that was left open", () => {
    const none = {
      maxCost: undefined,
      maxTokens: undefined,
      maxMinutes: undefined,
      maxAgents: undefined,
      maxDepth: undefined,
      maxIterations: undefined,
    };
    const models = { model: undefined, subagentModel: undefined, thinking: undefined };
    const options = { ...none, ...models, json: false, debug: false, agentDir: undefined, onGate: undefined, protocol: undefined };
    expect(runArguments({ ...options, context: [], question: undefined, file: undefined })).toEqual(["run", "-"]);
  });
});
