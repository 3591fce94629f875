import type { Fact } from "../../domain/events.ts";
import { isDeciding } from "../../domain/experiment.ts";

/**
 * What no fork or rewind undoes: the fold of ALL facts of a run, whatever their branch. Money spent stays spent, and
 * a plan's first execution stays its first.
 */
export interface Ledger {
  usd: number;
  tokens: number;
  /** Reservations that nothing has settled. Those of dead calls stay, and count as spent. */
  reserved: Map<string, { agent: string; usd: number; tokens: number }>;
  reservedUsd: number;
  reservedTokens: number;
  /** What each agent spent or holds reserved, without its children. */
  usdByAgent: Map<string, number>;
  /** Executions begun so far of each experiment. */
  executions: Map<string, number>;
  /** Experiments whose deciding execution has been made. */
  decided: Set<string>;
}

export function emptyLedger(): Ledger {
  return {
    usd: 0,
    tokens: 0,
    reserved: new Map(),
    reservedUsd: 0,
    reservedTokens: 0,
    usdByAgent: new Map(),
    executions: new Map(),
    decided: new Set(),
  };
}

/** Applies one fact to a ledger that the caller owns, and returns it. Total and deterministic. */
export function evolveLedger(ledger: Ledger, fact: Fact): Ledger {
  switch (fact.type) {
    case "spend_reserved": {
      const { reservation, agent, usd, tokens } = fact.data;
      ledger.reserved.set(reservation, { agent, usd, tokens });
      ledger.reservedUsd += usd;
      ledger.reservedTokens += tokens;
      addToAgent(ledger, agent, usd);
      break;
    }
    case "model_answered": {
      const { input, output, cache_read, cache_write, usd } = fact.data.usage;
      settle(ledger, fact.data.reservation, usd, input + output + cache_read + cache_write);
      break;
    }
    case "spend_charged":
      settle(ledger, fact.data.reservation, fact.data.usd, fact.data.tokens);
      break;
    case "experiment_started":
      ledger.executions.set(fact.data.experiment, Math.max(fact.data.execution, ledger.executions.get(fact.data.experiment) ?? 0));
      break;
    case "experiment_finished":
      if (isDeciding(fact.data.status)) ledger.decided.add(fact.data.experiment);
      break;
    default:
      break;
  }
  return ledger;
}

function settle(ledger: Ledger, reservation: string, usd: number, tokens: number): void {
  const held = ledger.reserved.get(reservation);
  if (!held) return;
  ledger.reserved.delete(reservation);
  ledger.reservedUsd = ledger.reserved.size === 0 ? 0 : ledger.reservedUsd - held.usd;
  ledger.reservedTokens -= held.tokens;
  ledger.usd += usd;
  ledger.tokens += tokens;
  addToAgent(ledger, held.agent, usd - held.usd);
}

function addToAgent(ledger: Ledger, agent: string, usd: number): void {
  ledger.usdByAgent.set(agent, (ledger.usdByAgent.get(agent) ?? 0) + usd);
}
