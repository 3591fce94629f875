import { describe, expect, it } from "vitest";
import { CONFIG_DEFAULT } from "../../../src/domain/config.ts";
import type { RunEvent } from "../../../src/domain/events.ts";
import { classOf, findChanges, recordedSettings, type RunBasis } from "../../../src/engine/decide/changes.ts";
import { findRewindPoint, isMilestone, type RewindTarget } from "../../../src/engine/decide/rewind-point.ts";
import { project } from "../../../src/engine/state/evolve.ts";
import { takeOver } from "../../../src/engine/take-over.ts";
import { factsOf, runStarted, spawned } from "./fact-lists.ts";

const settings = recordedSettings(CONFIG_DEFAULT);
const NOW: RunBasis = { hypo: "0.1.0", pi: "1.6.0", prompts: "p1", config: settings };

describe("a change since a run's last fact", () => {
  it.each<[string, string, Partial<RunBasis>]>([
    ["nothing", "compatible", {}],
    ["hypo's version", "compatible", { hypo: "0.2.0" }],
    ["Pi within its major version", "compatible", { pi: "1.9.0" }],
    ["Pi's major version", "broken", { pi: "2.0.0" }],
    ["the prompts", "stale", { prompts: "p2" }],
    ["the image of experiments", "stale", { config: { ...settings, "experiment.image": "python:4" } }],
    ["the hosts let through", "stale", { config: { ...settings, "gateway.allow_hosts": ["10.0.0.1"] } }],
    ["a timeout", "compatible", { config: { ...settings, "gateway.timeouts.total_seconds": 5 } }],
    ["a search key", "compatible", { config: { ...settings, "search.openalex_key": "set" } }],
    ["a journal that tells no settings", "compatible", { config: undefined }],
  ])("that is %s, makes it %s", (_what, expected, change) => {
    expect(classOf(findChanges(NOW, { ...NOW, ...change }))).toBe(expected);
  });

  it("is found among settings that are recorded without secrets, limits and models", () => {
    const recorded = recordedSettings({ ...CONFIG_DEFAULT, model: "p/m", search: { openalex_key: "sk-secret" } });
    expect(JSON.stringify(recorded)).not.toContain("secret");
    expect(recorded).toMatchObject({ "search.openalex_key": "set", "experiment.cpus": 1 });
    expect(Object.keys(recorded).filter((key) => /^(limits|budget|model|subagent_model|thinking)/.test(key))).toEqual([]);
  });
});

const NO_RAISE = { limits: {}, budget: {} };
const said: RunEvent[] = [
  runStarted({ config: settings }),
  spawned("root"),
  { type: "agent_started", data: { agent: "root", prompt: "go" } },
];

describe("a new process", () => {
  const state = () => project(factsOf(said));

  it("shows stale changes and goes on with them only when told to", () => {
    const stale = { ...NOW, prompts: "p2" };
    expect(() => takeOver(state(), stale, { raise: NO_RAISE, acceptChanges: false })).toThrow(/prompts: p1 -> p2 \(stale\)/);
    const { resumed, changes } = takeOver(state(), stale, { raise: NO_RAISE, acceptChanges: true });
    expect(changes).toEqual([{ what: "prompts", from: "p1", to: "p2", class: "stale" }]);
    expect(resumed).toMatchObject({ type: "run_resumed", data: { prompts_sha256: "p2", changes } });
  });

  it("refuses broken ones also when told to", () => {
    expect(() => takeOver(state(), { ...NOW, pi: "2.0.0" }, { raise: NO_RAISE, acceptChanges: true })).toThrow(/\(broken\)/);
  });

  it("needs no leave where nobody has said anything yet", () => {
    const untouched = project(factsOf(said.slice(0, 2)));
    expect(takeOver(untouched, { ...NOW, prompts: "p2" }, { raise: NO_RAISE, acceptChanges: false }).changes).toHaveLength(1);
  });

  it("records raised limits", () => {
    const { resumed } = takeOver(state(), NOW, { raise: { limits: { agents: 300 }, budget: { usd: 9 } }, acceptChanges: false });
    expect(resumed.data).toMatchObject({ limits: { agents: 300, depth: 6 }, budget: { usd: 9, hours: 4 } });
  });
});

describe("the point to rewind to", () => {
  const iteration = (n: number, call: string): RunEvent[] => [
    { type: "iteration_closed", data: { iteration: n, by: "supervisor", call, claim: "continue", reason: "", progress: NOTHING } },
    { type: "tool_finished", data: { agent: "root", call, tool: "research_control", ok: true, text: "closed" } },
  ];
  const facts = factsOf([
    ...said, // 1 to 3
    spawned("root.1"), // 4
    { type: "agent_finished", data: { agent: "root.1", outcome: "completed", result: "" } }, // 5
    ...iteration(1, "a"), // 6, 7
    { type: "agent_steered", data: { agent: "root", by: "engine", message: "next", mode: "prompt", after: 3, request: "iteration" } }, // 8
    ...iteration(2, "b"), // 9, 10
    { type: "run_resumed", data: { reason: "new process", changes: [], prompts_sha256: "p2" } }, // 11
    spawned("root.2"), // 12
  ]);
  const find = (target: RewindTarget): number =>
    findRewindPoint(
      facts.filter((fact) => isMilestone(fact, target)),
      12,
      target,
    );

  it.each<[RewindTarget, number]>([
    [{ to: "fact", seq: 7, mode: "after" }, 7],
    [{ to: "fact", seq: 7, mode: "before" }, 6],
    [{ to: "agent", agent: "root.1", mode: "before" }, 3],
    [{ to: "agent", agent: "root.1", mode: "after" }, 5],
    [{ to: "iteration", iteration: 1, mode: "before" }, 2],
    [{ to: "iteration", iteration: 1, mode: "after" }, 7],
    [{ to: "iteration", iteration: 2, mode: "before" }, 7],
    [{ to: "iteration", iteration: 2, mode: "after" }, 10],
    [{ to: "compatible", basis: NOW }, 10],
    [{ to: "compatible", basis: { ...NOW, prompts: "p2" } }, 2],
    [{ to: "compatible", basis: { ...NOW, prompts: "p3" } }, 2],
  ])("%j is %i", (target, point) => {
    expect(find(target)).toBe(point);
  });

  it.each<[RewindTarget, RegExp]>([
    [{ to: "fact", seq: 99, mode: "after" }, /Fact 99 does not lie on this branch/],
    [{ to: "agent", agent: "root.9", mode: "before" }, /no agent "root.9"/],
    [{ to: "agent", agent: "root.2", mode: "after" }, /root.2 has not ended/],
    [{ to: "iteration", iteration: 3, mode: "after" }, /no iteration 3/],
  ])("%j is refused", (target, why) => {
    expect(() => find(target)).toThrow(why);
  });
});

const NOTHING = { findings: 0, closed_questions: 0, contradictions: 0, verdicts: 0 };
