import { HypoError } from "../../domain/errors.ts";
import {
  ON_GATE,
  PROTOCOLS,
  THINKING_LEVELS,
  type CapOptions,
  type ModelOptions,
  type OnGate,
  type ProcedureOptions,
} from "../commands/options.ts";
import type { ArgumentDefinition, OptionDefinition } from "../definition.ts";
import type { Given } from "../given.ts";

/** Options and arguments that several commands share, with the way to read them. */

export const RUN_ARGUMENT: ArgumentDefinition = {
  name: "run",
  summary: "run id, any unambiguous prefix of one, or last",
  required: true,
  completes: "run",
};

/** For commands that look at one branch. */
export const BRANCH_OPTION: OptionDefinition = {
  name: "branch",
  value: { name: "name", kind: "text" },
  summary: "branch to look at (default: main)",
};

/** For commands that ask something of a run at work. */
export const WHICH_BRANCH_OPTION: OptionDefinition = {
  name: "branch",
  value: { name: "name", kind: "text" },
  summary: "which branch is meant, where several could be",
};

export const LIMIT_OPTION: OptionDefinition = {
  name: "limit",
  value: { name: "n", kind: "integer", min: 1 },
  summary: "most entries shown (default 20)",
};

export const CHECK_REFS_OPTION: OptionDefinition = {
  name: "check-refs",
  summary: "ask Crossref, OpenAlex and arXiv whether the references exist, match and stand unretracted",
};

export const MODEL_OPTIONS: readonly OptionDefinition[] = [
  { name: "model", value: { name: "provider/id", kind: "text" }, summary: "supervisor's model (default: Pi's default model)" },
  {
    name: "subagent-model",
    value: { name: "provider/id", kind: "text" },
    summary: "children's model, or inherit (default: the configured subagent_model)",
  },
  { name: "thinking", value: { name: "level", kind: "text", choices: THINKING_LEVELS }, summary: "thinking level of all agents" },
];

export const CAP_OPTIONS: readonly OptionDefinition[] = [
  { name: "max-cost", value: { name: "usd", kind: "text" }, summary: "most US dollars the run may spend on models, or none for no cap" },
  { name: "max-tokens", value: { name: "n", kind: "integer", min: 1 }, summary: "most tokens the run may use" },
  { name: "max-time", value: { name: "minutes", kind: "number", min: 0.1 }, summary: "longest working time of the run, in minutes" },
  { name: "max-agents", value: { name: "n", kind: "integer", min: 1 }, summary: "most agents in the run, the supervisor included" },
  { name: "max-depth", value: { name: "n", kind: "integer" }, summary: "how deep the agent tree may grow; the supervisor is 0" },
  { name: "max-iterations", value: { name: "n", kind: "integer", min: 1 }, summary: "most iterations of the supervisor" },
];

export const ON_GATE_OPTION: OptionDefinition = {
  name: "on-gate",
  value: { name: "action", kind: "text", choices: ON_GATE },
  summary: "what to do when a person must decide; default: wait at a terminal, else exit with code 8",
};

export const PROCEDURE_OPTIONS: readonly OptionDefinition[] = [
  {
    name: "protocol",
    value: { name: "name", kind: "text", choices: PROTOCOLS },
    summary: "built-in procedure: map what is known, decide by tests, or repeat a claim independently",
  },
  {
    name: "context",
    value: { name: "what", kind: "text", completes: "file" },
    repeatable: true,
    summary: "file, folder or URL that agents are to know of and may quote; may be given several times",
  },
];

export function readProcedure(given: Given): ProcedureOptions {
  return { protocol: PROTOCOLS.find((each) => each === given.text("protocol")), context: given.texts("context") };
}

export const DETACH_OPTION: OptionDefinition = {
  name: "detach",
  summary: "leave the run at work in the background, and print its id once it is",
};

export function readModels(given: Given): ModelOptions {
  return {
    model: given.text("model"),
    subagentModel: given.text("subagent-model"),
    thinking: THINKING_LEVELS.find((level) => level === given.text("thinking")),
  };
}

export function readCaps(given: Given): CapOptions {
  return {
    maxCost: readCost(given.text("max-cost")),
    maxTokens: given.number("max-tokens"),
    maxMinutes: given.number("max-time"),
    maxAgents: given.number("max-agents"),
    maxDepth: given.number("max-depth"),
    maxIterations: given.number("max-iterations"),
  };
}

function readCost(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "none") return null;
  const usd = Number(text);
  if (text.trim() !== "" && Number.isFinite(usd) && usd >= 0) return usd;
  throw new HypoError("usage", `--max-cost takes US dollars or none, not ${JSON.stringify(text)}.`, {
    hint: "For example: --max-cost 2.50",
  });
}

export function readOnGate(given: Given): OnGate | undefined {
  return ON_GATE.find((action) => action === given.text("on-gate"));
}
