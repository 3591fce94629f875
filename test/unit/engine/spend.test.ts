import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BUDGET_DEFAULT } from "../../../src/domain/limit-defaults.ts";
import type { Budget } from "../../../src/domain/limits.ts";
import type { ModelPrice, ResolvedModel } from "../../../src/domain/model.ts";
import { affordCall } from "../../../src/engine/decide/spend.ts";
import { evolve } from "../../../src/engine/state/evolve.ts";
import { emptyLedger, evolveLedger, type Ledger } from "../../../src/engine/state/ledger.ts";
import { emptyRunState, type RunState } from "../../../src/engine/state/run-state.ts";
import { sampleSpec } from "../../support/samples.ts";
import { factOf } from "./facts.ts";

const PRICE: ModelPrice = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 1.25 };

function modelOf(price: ModelPrice | undefined = PRICE): ResolvedModel {
  return { ref: "p/m", provider: "p", id: "m", contextWindow: 200_000, maxTokens: 8192, price };
}

/** A root, a child with a budget of its own, and a grandchild. */
function makeTree(budget: Partial<Budget>, childUsd: number | null): { state: RunState; ledger: Ledger } {
  const state = emptyRunState();
  state.budget = { ...BUDGET_DEFAULT, ...budget };
  for (const id of ["root", "root.1", "root.1.1"]) {
    const spec = sampleSpec(id, id === "root.1" ? { budget_usd: childUsd } : {});
    evolve(state, factOf("agent_spawned", { agent: id, parent: spec.parent, call: null, mode: "background", spec, spec_sha256: "" }, 1));
  }
  return { state, ledger: emptyLedger() };
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("ask" as const),
        agent: fc.constantFrom("root", "root.1", "root.1.1"),
        input: fc.nat(50_000),
      }),
    },
    // How much of the worst case the answer takes, in hundredths; or a failure that is charged whole or not at all.
    { weight: 3, arbitrary: fc.record({ do: fc.constant("answer" as const), pick: fc.nat(), share: fc.nat(100) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("fail" as const), pick: fc.nat(), charged: fc.boolean() }) },
    // The process dies: its open calls are never settled.
    { weight: 1, arbitrary: fc.record({ do: fc.constant("die" as const) }) },
  ),
  { maxLength: 120 },
);

describe("what a run may spend", () => {
  test("is never exceeded by what is spent and reserved, whatever is asked at once, however calls and processes end", () => {
    const budgets = fc.record({ usd: fc.nat(100).map((cents) => cents / 100), tokens: fc.nat(400_000) });
    fc.assert(
      fc.property(budgets, fc.nat(50), fc.boolean(), steps, (budget, childCents, thinks, list) => {
        const childUsd = childCents / 100;
        const { state, ledger } = makeTree(budget, childUsd);
        let open: { reservation: string; usd: number; tokens: number }[] = [];
        for (const [place, step] of list.entries()) {
          const reservation = String(place);
          if (step.do === "ask") {
            const cost = affordCall(state, ledger, { agent: step.agent, model: modelOf(), input: step.input, thinks });
            if (!cost.affordable) continue;
            evolveLedger(ledger, factOf("spend_reserved", { reservation, agent: step.agent, usd: cost.usd, tokens: cost.tokens }, place));
            open.push({ reservation, usd: cost.usd, tokens: cost.tokens });
          } else if (step.do === "die") open = [];
          else {
            const [held] = open.splice(step.pick % Math.max(1, open.length), 1);
            if (!held) continue;
            const share = step.do === "answer" ? step.share / 100 : step.charged ? 1 : 0;
            const [usd, tokens] = [held.usd * share, Math.floor(held.tokens * share)];
            evolveLedger(
              ledger,
              step.do === "fail"
                ? factOf("spend_charged", { reservation: held.reservation, usd, tokens, reason: "cut" }, place)
                : factOf(
                    "model_answered",
                    { reservation: held.reservation, usage: { input: tokens, output: 0, cache_read: 0, cache_write: 0, usd } },
                    place,
                  ),
            );
          }
          expect(ledger.usd + ledger.reservedUsd).toBeLessThanOrEqual(budget.usd + 1e-9);
          expect(ledger.tokens + ledger.reservedTokens).toBeLessThanOrEqual(budget.tokens);
          const ofChild = (ledger.usdByAgent.get("root.1") ?? 0) + (ledger.usdByAgent.get("root.1.1") ?? 0);
          expect(ofChild).toBeLessThanOrEqual(childUsd + 1e-9);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("lets a shorter answer be asked for where a whole one would cost too much, down to 1024 tokens", () => {
    const ask = (usd: number) => {
      const { state, ledger } = makeTree({ usd }, null);
      return affordCall(state, ledger, { agent: "root", model: modelOf(), input: 1000, thinks: false });
    };
    expect(ask(1)).toMatchObject({ affordable: true, maxTokens: 8192, tokens: 9192 });
    expect(ask(0.05)).toMatchObject({ affordable: true, maxTokens: 4096 });
    expect(ask(0.001 * 1.25 + 0.01024)).toMatchObject({ affordable: true, maxTokens: 1024 });
    expect(ask(0.001 * 1.25 + 0.01023)).toMatchObject({ affordable: false, settlingMayHelp: false });
  });

  test("may be helped by calls that are still open, and only by those", () => {
    const { state, ledger } = makeTree({ usd: 0.1 }, null);
    const size = { agent: "root", model: modelOf(), input: 1000, thinks: false };
    evolveLedger(ledger, factOf("spend_reserved", { reservation: "1", agent: "root", usd: 0.095, tokens: 1 }, 1));
    expect(affordCall(state, ledger, size)).toMatchObject({ affordable: false, settlingMayHelp: true });
    evolveLedger(ledger, factOf("spend_charged", { reservation: "1", usd: 0.095, tokens: 1, reason: "cut" }, 2));
    expect(affordCall(state, ledger, size)).toMatchObject({ affordable: false, settlingMayHelp: false });
  });

  test("cannot be kept to where a price is not known: refused under a cap, allowed without one", () => {
    const ask = (usd: number | null, price: ModelPrice | undefined) => {
      const { state, ledger } = makeTree({ usd }, null);
      return affordCall(state, ledger, { agent: "root", model: { ...modelOf(), price }, input: 1000, thinks: false });
    };
    expect(ask(5, undefined)).toMatchObject({ affordable: false, why: expect.stringContaining("price of p/m is not known") as string });
    expect(ask(null, undefined)).toMatchObject({ affordable: true, usd: 0 });
    expect(ask(0, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })).toMatchObject({ affordable: true, usd: 0 });
  });
});
