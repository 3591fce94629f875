import { describe, expect, test } from "vitest";
import { evolve } from "../../../src/engine/state/evolve.ts";
import { emptyRunState, type RunState } from "../../../src/engine/state/run-state.ts";
import { hiddenFrom } from "../../../src/engine/tools/search-memory.ts";
import { sampleSpec } from "../../support/samples.ts";
import { factOf } from "./facts.ts";

/** root.2 replicates root.1; both have agents below them, and root.3 has nothing to do with either. */
function replicating(): RunState {
  const state = emptyRunState();
  state.run = "r";
  for (const id of ["root", "root.1", "root.1.1", "root.2", "root.2.1", "root.3", "root.10"]) {
    const spec = sampleSpec(id, id === "root.2" ? { replication_of: "root.1", independent_context: true } : {});
    evolve(state, factOf("agent_spawned", { agent: id, parent: spec.parent, call: null, mode: "background", spec, spec_sha256: "" }, 1));
  }
  return state;
}

describe("what the replicated agents published", () => {
  test.each(["root.2", "root.2.1"])("is hidden from the replication's %s, with all below the original and nothing else", (agent) => {
    expect(hiddenFrom(agent, replicating())).toEqual({ run: "r", agents: ["root.1", "root.1.1"] });
  });

  test.each(["root", "root.1", "root.1.1", "root.3", "root.10"])("is not hidden from %s", (agent) => {
    expect(hiddenFrom(agent, replicating())).toBeUndefined();
  });
});
