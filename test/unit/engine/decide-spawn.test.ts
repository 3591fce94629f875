import { describe, expect, test } from "vitest";
import { sha256 } from "../../../src/domain/hash.ts";
import { LIMITS_DEFAULT } from "../../../src/domain/limit-defaults.ts";
import type { Limits } from "../../../src/domain/limits.ts";
import { decideSpawn } from "../../../src/engine/decide/spawn.ts";
import { evolve } from "../../../src/engine/state/evolve.ts";
import { emptyRunState, type RunState } from "../../../src/engine/state/run-state.ts";
import { sampleSpec } from "../../support/samples.ts";
import { factOf } from "./facts.ts";

/** Grows a tree by spawns that were allowed, under the limits given. */
class Tree {
  readonly state: RunState = emptyRunState();

  constructor(limits: Partial<Limits>) {
    this.state.limits = { ...LIMITS_DEFAULT, ...limits };
    this.spawn("root");
  }

  /** Why the spawn was refused; undefined where the agent is there now. */
  spawn(id: string, change: Parameters<typeof sampleSpec>[1] = {}): string | undefined {
    const spec = sampleSpec(id, { goal: `Study ${sha256(id).replace(/[0-9]/g, " ")}`, ...change });
    const decision = decideSpawn(this.state, { spec, call: null, mode: "background" });
    if (decision.refused !== undefined) return decision.refused;
    for (const { type, data } of decision.events) evolve(this.state, factOf(type, data, this.state.head + 1));
    return undefined;
  }

  finish(agent: string): void {
    evolve(this.state, factOf("agent_finished", { agent, outcome: "completed", result: "" }, this.state.head + 1));
  }
}

const children = (count: number, under = "root"): string[] => Array.from({ length: count }, (_, index) => `${under}.${index + 1}`);

describe("a limit of the tree lets in as many agents as it says and refuses the next, naming itself", () => {
  test.each([1, 2, 6])("depth %i", (depth) => {
    const tree = new Tree({ depth });
    const line = Array.from({ length: depth + 1 }, (_, index) => `root${".1".repeat(index + 1)}`);
    const refusals = line.map((id) => tree.spawn(id));
    expect(refusals.slice(0, depth)).toEqual(Array.from({ length: depth }, () => undefined));
    expect(refusals[depth]).toMatch(new RegExp(`${depth} levels deep \\(limit depth\\).*Do the task yourself`));
  });

  test("depth 0 lets the root have no child", () => {
    expect(new Tree({ depth: 0 }).spawn("root.1")).toContain("limit depth");
  });

  test.each([
    { limit: "children", limits: { children: 3 }, own: 100, allowed: 3 },
    { limit: "children", limits: { children: 8 }, own: 2, allowed: 2 },
    { limit: "agents", limits: { agents: 5, children: 50 }, own: 100, allowed: 4 },
    { limit: "active", limits: { active: 4, children: 50 }, own: 100, allowed: 3 },
  ])("$limit: $allowed more with $limits and $own of its own", ({ limit, limits, own, allowed }) => {
    const tree = new Tree(limits);
    const root = tree.state.agents.get("root");
    if (root) root.spec = { ...root.spec, max_children: own };
    const refusals = children(allowed + 1).map((id) => tree.spawn(id));
    expect(refusals.slice(0, allowed)).toEqual(Array.from({ length: allowed }, () => undefined));
    expect(refusals[allowed]).toContain(limit);
    expect(refusals[allowed]).toMatch(/Collect|Do the task yourself|Wait for one/);
  });

  test("an agent that ended makes room among the active ones, and none among the children or in the run", () => {
    const tree = new Tree({ active: 3, children: 3, agents: 4 });
    expect(children(2).map((id) => tree.spawn(id))).toEqual([undefined, undefined]);
    expect(tree.spawn("root.3")).toContain("limit at once (active 3)");
    tree.finish("root.1");
    expect(tree.spawn("root.3")).toBeUndefined();
    tree.finish("root.2");
    expect(tree.spawn("root.4")).toContain("children 3");
    expect(tree.spawn("root.3.1")).toContain("agents 4");
  });
});

describe("a spawn is refused", () => {
  test("once the run is coming to its end", () => {
    const tree = new Tree({});
    evolve(tree.state, factOf("run_stopping", { reason: "cancelled", detail: "" }, 9));
    expect(tree.spawn("root.1")).toContain("coming to its end");
  });

  test("to an agent that may not spawn", () => {
    const tree = new Tree({});
    tree.spawn("root.1", { may_spawn: false });
    expect(tree.spawn("root.1.1")).toContain("may not spawn");
  });

  test.each([
    ["the same task", "Compare merge sort with quick sort on random arrays"],
    ["the same task in other case and spacing", "compare  MERGE sort with quick sort, on random arrays!"],
    ["nearly the same task", "Please compare merge sort with quick sort on random arrays"],
  ])("for %s, also where another agent asks, unless it is a declared and independent replication", (_, goal) => {
    const tree = new Tree({});
    tree.spawn("root.1", { goal: "Compare merge sort with quick sort on random arrays" });
    tree.spawn("root.2");
    const copy = { goal, replication_of: "root.1" };
    expect(tree.spawn("root.2.1", { goal })).toContain("root.1 (root.1) has");
    expect(tree.spawn("root.2.1", copy)).toContain("independent_context: true");
    expect(tree.spawn("root.2.1", { ...copy, replication_of: "root.9" })).toContain("no such agent");
    expect(tree.spawn("root.2.1", { ...copy, independent_context: true })).toBeUndefined();
  });
});
