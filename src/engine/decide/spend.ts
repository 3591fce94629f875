import type { AgentId } from "../../domain/ids.ts";
import type { ResolvedModel } from "../../domain/model.ts";
import type { Ledger } from "../state/ledger.ts";
import type { RunState } from "../state/run-state.ts";

/** An answer is asked for with this many tokens at most, and with fewer where the money runs out. */
const ANSWER_TOKENS = 16_384;
/** Below this an answer is not worth asking for. */
const LEAST_ANSWER_TOKENS = 1024;
/** Pi adds up to this much thinking to an answer's tokens. */
const THINKING_TOKENS = 16_384;

export interface CallSize {
  agent: AgentId;
  model: ResolvedModel;
  /** Upper bound of input tokens. */
  input: number;
  thinks: boolean;
}

export type Affordability =
  | { affordable: true; usd: number; tokens: number; maxTokens: number }
  | { affordable: false; why: string; settlingMayHelp: boolean };

/**
 * The worst case that a model call may cost, if what is left can bear it. The answer's length is cut to fit before the
 * call is refused.
 */
export function affordCall(state: RunState, ledger: Ledger, size: CallSize): Affordability {
  const left = leftFor(state, ledger, size.agent);
  const { price } = size.model;
  if (left.usd !== null && price === undefined) {
    return {
      affordable: false,
      settlingMayHelp: false,
      why:
        `the price of ${size.model.ref} is not known, so it cannot be kept under the cap of ${state.budget.usd} USD; ` +
        "give its cost in Pi's models.json, or lift the cap with --max-cost none",
    };
  }
  const input = Math.min(size.input, size.model.contextWindow);
  const extra = size.thinks ? THINKING_TOKENS : 0;
  const inputUsd = price ? (input * Math.max(price.input, price.cacheRead, price.cacheWrite)) / 1e6 : 0;
  const fits = (answer: number): { usd: number; tokens: number } | undefined => {
    const output = Math.min(size.model.maxTokens, answer + extra);
    const cost = { usd: inputUsd + (price ? (output * price.output) / 1e6 : 0), tokens: input + output };
    return cost.tokens <= left.tokens && (left.usd === null || cost.usd <= left.usd) ? cost : undefined;
  };
  for (let answer = Math.min(ANSWER_TOKENS, size.model.maxTokens); ; answer = Math.floor(answer / 2)) {
    const cost = fits(answer);
    if (cost) return { affordable: true, ...cost, maxTokens: answer };
    if (answer <= LEAST_ANSWER_TOKENS) break;
  }
  return { affordable: false, settlingMayHelp: ledger.reserved.size > 0, why: describeLack(state, left) };
}

interface Remainder {
  usd: number | null;
  tokens: number;
}

/** What the run has left, and for an agent with a budget of its own (or above it) what that has left. */
function leftFor(state: RunState, ledger: Ledger, agent: AgentId): Remainder {
  const { budget } = state;
  const tokens = budget.tokens - ledger.tokens - ledger.reservedTokens;
  const caps: number[] = budget.usd === null ? [] : [budget.usd - ledger.usd - ledger.reservedUsd];
  for (let id: AgentId | null = agent; id !== null; id = state.agents.get(id)?.parent ?? null) {
    const own = state.agents.get(id)?.spec.budget_usd;
    if (own !== null && own !== undefined) caps.push(own - usdOfSubtree(state, ledger, id));
  }
  return { usd: caps.length === 0 ? null : Math.min(...caps), tokens };
}

function usdOfSubtree(state: RunState, ledger: Ledger, id: AgentId): number {
  const agent = state.agents.get(id);
  const own = ledger.usdByAgent.get(id) ?? 0;
  return (agent?.children ?? []).reduce((sum, child) => sum + usdOfSubtree(state, ledger, child), own);
}

function describeLack({ budget }: RunState, left: Remainder): string {
  const money = budget.usd === null || left.usd === null ? "" : `${Math.max(0, left.usd).toFixed(4)} of ${budget.usd} USD and `;
  return `${money}${Math.max(0, left.tokens)} of ${budget.tokens} tokens are left, less than another answer may cost`;
}
