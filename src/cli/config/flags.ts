import type { CapOptions, ModelOptions } from "../commands/options.ts";
import { putAt } from "./keys.ts";
import { checkLayer } from "./problems.ts";

/** Which flag sets which key. */
const FLAGS: readonly (readonly [option: keyof ModelOptions | keyof CapOptions, flag: string, key: readonly string[]])[] = [
  ["model", "--model", ["model"]],
  ["subagentModel", "--subagent-model", ["subagent_model"]],
  ["thinking", "--thinking", ["thinking"]],
  ["maxCost", "--max-cost", ["budget", "usd"]],
  ["maxTokens", "--max-tokens", ["budget", "tokens"]],
  ["maxMinutes", "--max-time", ["budget", "hours"]],
  ["maxAgents", "--max-agents", ["limits", "agents"]],
  ["maxDepth", "--max-depth", ["limits", "depth"]],
  ["maxIterations", "--max-iterations", ["limits", "iterations"]],
];

/**
 * What the flags of a command set.
 *
 * @throws HypoError `config_invalid` naming the flag.
 */
export function readFlags(options: Partial<ModelOptions & CapOptions>): Record<string, unknown> {
  const tree: Record<string, unknown> = {};
  for (const [option, , key] of FLAGS) {
    const value = options[option];
    if (value === undefined) continue;
    putAt(tree, key, option === "maxMinutes" ? Number(value) / 60 : value);
  }
  checkLayer(tree, (path) => FLAGS.find(([, , key]) => key.join(".") === path.join("."))?.[1] ?? "the command line");
  return tree;
}
