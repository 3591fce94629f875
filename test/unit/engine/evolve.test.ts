import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVENT_DATA, type EventType, type Fact } from "../../../src/domain/events.ts";
import { evolve, project } from "../../../src/engine/state/evolve.ts";
import { emptyLedger, evolveLedger, type Ledger } from "../../../src/engine/state/ledger.ts";
import { emptyRunState } from "../../../src/engine/state/run-state.ts";
import { factOf, factSequences } from "./facts.ts";

describe("a run's state, folded from any facts in any order", () => {
  test("is the same whenever the same facts are folded, and leaves the facts as they were", () => {
    fc.assert(
      fc.property(factSequences, (facts) => {
        const before = structuredClone(facts);
        const first = project(facts);
        expect(facts).toEqual(before);
        expect(project(facts)).toEqual(first);
        expect(first.head).toBe(facts.length);
      }),
      { numRuns: 300 },
    );
  });

  test("goes on from a snapshot of any prefix to the same state as from nothing", () => {
    fc.assert(
      fc.property(factSequences, fc.nat(), (facts, pick) => {
        const cut = pick % (facts.length + 1);
        const state = structuredClone(project(facts.slice(0, cut)));
        for (const fact of facts.slice(cut)) evolve(state, fact);
        expect(state).toEqual(project(facts));
      }),
      { numRuns: 300 },
    );
  });

  test("does not change when a later fact changes another run's state that began with the same facts", () => {
    fc.assert(
      fc.property(factSequences, factSequences, (shared, own) => {
        const kept = project(shared);
        const before = structuredClone(kept);
        const other = project(shared);
        for (const fact of own) evolve(other, fact);
        expect(kept).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });

  test("is built here from every kind of fact, each as its schema wants it", () => {
    const seen = new Set<EventType>();
    for (const facts of fc.sample(factSequences, { numRuns: 300, seed: 1 })) {
      for (const { type, data } of facts) {
        seen.add(type);
        EVENT_DATA[type].parse(data);
      }
    }
    expect([...seen].toSorted()).toEqual(Object.keys(EVENT_DATA).toSorted());
  });

  test("counts the time at work alone: a pause, and the time after a process died, are left out", () => {
    const at = (seconds: number): number => Date.parse("2026-01-01T00:00:00Z") + seconds * 1000;
    const state = emptyRunState();
    const { run_started: started } = Object.fromEntries(
      fc
        .sample(factSequences, { numRuns: 200, seed: 1 })
        .flat()
        .map((fact) => [fact.type, fact.data]),
    );
    evolve(state, factOf("run_started", started, 1, at(0)));
    evolve(state, factOf("run_paused", { reason: "" }, 2, at(10)));
    evolve(state, factOf("run_resumed", { reason: "", changes: [] }, 3, at(1000)));
    evolve(state, factOf("tool_finished", { agent: "root", call: "c", tool: "t", ok: true, text: "" }, 4, at(1005)));
    evolve(state, factOf("run_resumed", { reason: "", changes: [] }, 5, at(5000)));
    evolve(state, factOf("run_paused", { reason: "" }, 6, at(5001)));
    expect(state.clock.before).toBe(16_000);
  });
});

describe("the ledger", () => {
  test("never loses a reservation: what is neither settled nor charged counts as held, for the run and for its agent", () => {
    fc.assert(
      fc.property(factSequences.map(withOneReservationEach), (facts) => {
        const ledger = emptyLedger();
        for (const [place, fact] of facts.entries()) {
          evolveLedger(ledger, fact);
          const { agents, ...sums } = balanceOf(facts.slice(0, place + 1));
          expect(ledger).toMatchObject(sums);
          expect([...ledger.usdByAgent.values()].reduce((all, each) => all + each, 0)).toBe(agents);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Drops the second reservation under an id, which no process makes. */
function withOneReservationEach(facts: Fact[]): Fact[] {
  const seen = new Set<string>();
  return facts.filter((fact) => fact.type !== "spend_reserved" || (!seen.has(fact.data.reservation) && seen.add(fact.data.reservation)));
}

/** What a ledger has to hold, counted anew from the facts. */
function balanceOf(facts: Fact[]): Partial<Ledger> & { agents: number } {
  const held = new Map<string, { agent: string; usd: number; tokens: number }>();
  const spent = { usd: 0, tokens: 0 };
  for (const { type, data } of facts) {
    if (type === "spend_reserved") held.set(data.reservation, { agent: data.agent, usd: data.usd, tokens: data.tokens });
    if (type !== "spend_charged" && type !== "model_answered") continue;
    if (!held.delete(data.reservation)) continue;
    const { input = 0, output = 0, cache_read = 0, cache_write = 0, usd } = type === "model_answered" ? data.usage : { usd: data.usd };
    spent.usd += usd;
    spent.tokens += type === "model_answered" ? input + output + cache_read + cache_write : data.tokens;
  }
  const sum = (pick: (each: { usd: number; tokens: number }) => number): number =>
    [...held.values()].reduce((all, each) => all + pick(each), 0);
  const [reservedUsd, reservedTokens] = [sum((each) => each.usd), sum((each) => each.tokens)];
  return { reserved: held, ...spent, reservedUsd, reservedTokens, agents: spent.usd + reservedUsd };
}
