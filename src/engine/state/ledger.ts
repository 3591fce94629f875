import type { EventData, Fact } from "../../domain/events.ts";
import type { ComputedOutcome, ExecutionStatus, TestPlan } from "../../domain/experiment.ts";
import { hashOf } from "../../domain/hash.ts";
import type { AgentId, CallId, ItemId } from "../../domain/ids.ts";
import { isDeciding } from "../../domain/standing-execution.ts";

/** An execution of a test, on whatever branch it was made. */
export interface LedgerExecution {
  experiment: ItemId;
  execution: number;
  branch: string;
  /** Who executed it, with which call. */
  agent: AgentId;
  call: CallId;
  /** Undefined until its end is recorded, by the fact with this seq. One that decides is never replaced by a later one. */
  end: { status: ExecutionStatus; outcome: ComputedOutcome; seq: number } | undefined;
}

/**
 * What no fork or rewind undoes: the fold of ALL facts of a run, whatever their branch. Money spent stays spent, and
 * a plan's first execution stays its first.
 */
export interface Ledger {
  /** Seq of the latest fact of the run. */
  head: number;
  usd: number;
  tokens: number;
  /** Reservations that nothing has settled. Those of dead calls stay, and count as spent. */
  reserved: Map<string, { agent: string; usd: number; tokens: number }>;
  reservedUsd: number;
  reservedTokens: number;
  /** What agents of each id spent or hold reserved on all branches, without their children. */
  usdByAgent: Map<string, number>;
  /** Executions begun so far of each experiment. */
  executions: Map<ItemId, number>;
  /** What each hypothesis states. */
  statements: Map<ItemId, string>;
  /** The test that each experiment is of: a plan with its hypothesis in words, so that a fork makes no new one. */
  testOf: Map<ItemId, string>;
  /** All executions of each test, in the order they began. */
  tests: Map<string, LedgerExecution[]>;
  /** Requests and calls whose message has reached its agent. */
  delivered: Set<string>;
  /** Those whose message never will, since its agent has ended: also of some that had been handed over by then. */
  undelivered: Set<string>;
}

export function emptyLedger(): Ledger {
  return {
    head: 0,
    usd: 0,
    tokens: 0,
    reserved: new Map(),
    reservedUsd: 0,
    reservedTokens: 0,
    usdByAgent: new Map(),
    executions: new Map(),
    statements: new Map(),
    testOf: new Map(),
    tests: new Map(),
    delivered: new Set(),
    undelivered: new Set(),
  };
}

/** Applies one fact to a ledger that the caller owns, and returns it. Total and deterministic. */
export function evolveLedger(ledger: Ledger, fact: Fact): Ledger {
  ledger.head = fact.seq;
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
    case "finding_published":
      if (fact.data.finding.type === "hypothesis") ledger.statements.set(fact.data.finding.id, fact.data.finding.statement);
      break;
    case "plan_registered":
      ledger.testOf.set(fact.data.experiment, testOf(ledger, fact.data.plan));
      break;
    case "experiment_started":
      beginExecution(ledger, { ...pickKey(fact.data), branch: fact.branch, end: undefined });
      break;
    case "experiment_finished": {
      const { experiment, execution, status, outcome } = fact.data;
      const record = findExecution(ledger, experiment, execution);
      if (record && !(record.end && isDeciding(record.end.status))) record.end = { status, outcome, seq: fact.seq };
      break;
    }
    case "agent_steered":
      if (fact.data.request !== undefined) ledger.delivered.add(fact.data.request);
      break;
    case "message_undelivered":
      if (fact.data.request !== undefined) ledger.undelivered.add(fact.data.request);
      break;
    default:
      break;
  }
  return ledger;
}

/** All executions of the test that an experiment is of, whatever experiment and branch they were made for. */
export function executionsOf(ledger: Ledger, experiment: ItemId): LedgerExecution[] {
  return ledger.tests.get(testOfExperiment(ledger, experiment)) ?? [];
}

export function findExecution(ledger: Ledger, experiment: ItemId, execution: number): LedgerExecution | undefined {
  return executionsOf(ledger, experiment).find((each) => each.experiment === experiment && each.execution === execution);
}

/** The test that an experiment is of; one that is not registered is a test of its own. */
export function testOfExperiment(ledger: Ledger, experiment: ItemId): string {
  return ledger.testOf.get(experiment) ?? experiment;
}

function testOf(ledger: Ledger, plan: TestPlan): string {
  return hashOf({ ...plan, hypothesis: ledger.statements.get(plan.hypothesis) ?? plan.hypothesis });
}

function pickKey({ experiment, execution, agent, call }: EventData<"experiment_started">) {
  return { experiment, execution, agent, call };
}

function beginExecution(ledger: Ledger, begun: LedgerExecution): void {
  const { experiment, execution } = begun;
  ledger.executions.set(experiment, Math.max(execution, ledger.executions.get(experiment) ?? 0));
  ledger.tests.set(testOfExperiment(ledger, experiment), [...executionsOf(ledger, experiment), begun]);
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
