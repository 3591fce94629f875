/** What applies where nothing is configured, apart from the schemas: looking at a run needs only these. */
export const LIMITS_DEFAULT = {
  depth: 6,
  children: 8,
  active: 32,
  agents: 200,
  streaming: 3,
  agent_minutes: 30,
  iterations: 12,
  iterations_without_progress: 3,
};

export const BUDGET_DEFAULT = { usd: 5, tokens: 20_000_000, hours: 4 };
