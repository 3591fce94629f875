import type { z } from "zod";
import type { AgentSpec } from "../../src/domain/agent.ts";
import { TestPlan } from "../../src/domain/experiment.ts";
import type { Finding } from "../../src/domain/finding.ts";

/** Records with all members; what a test or a measurement cares about is given as changes. */

const RUN = "20260301-120000-sorting-ab12";

/** The agent that an agent's id says is above it. */
export function parentOf(agent: string): string | null {
  return agent.includes(".") ? agent.slice(0, agent.lastIndexOf(".")) : null;
}

export function sampleSpec(id: string, changes: Partial<AgentSpec> = {}): AgentSpec {
  return {
    id,
    name: id,
    parent: parentOf(id),
    run: RUN,
    depth: id.split(".").length - 1,
    model: "lab/small",
    thinking: "off",
    tools: [],
    may_spawn: true,
    max_children: 100,
    budget_usd: null,
    replication_of: null,
    independent_context: false,
    role: "role",
    goal: `goal of ${id}`,
    context: "",
    responsibilities: "",
    completion_criteria: "",
    expected_output: "",
    ...changes,
  };
}

export function sampleFinding(id: string, changes: Partial<Finding> = {}): Finding {
  const statement = changes.statement ?? `Statement of ${id}.`;
  return {
    id,
    type: "fact",
    status: "observed",
    title: statement,
    statement,
    evidence: [],
    counterevidence: [],
    experiments: [],
    limitations: [],
    related: [],
    negative_result: false,
    run: RUN,
    agent: "root.1",
    created: "2026-03-01T12:00:00.000Z",
    ...changes,
  };
}

export function samplePlan(hypothesis: string, changes: Partial<z.input<typeof TestPlan>> = {}): TestPlan {
  return TestPlan.parse({
    hypothesis,
    title: "Count comparisons on short arrays",
    method: "Sort random arrays with both algorithms and count comparisons.",
    metrics: [{ name: "ratio" }],
    image: "python:3.12-slim",
    success_criterion: "metrics.ratio < 1.0",
    refutation_criterion: "metrics.ratio >= 1.0",
    ...changes,
  });
}
