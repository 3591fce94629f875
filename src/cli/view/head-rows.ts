import type { Ledger } from "../../engine/state/ledger.ts";
import { isFinished, workedUntil, type RunState } from "../../engine/state/run-state.ts";
import type { Tone } from "../output/color.ts";
import { count, duration, money } from "../output/quantities.ts";
import { toneOfState } from "../runs/digest-text.ts";
import { rowOf, splitRow, type Row, type Span } from "./row.ts";

/** Question and state; counters; budgets: always three rows. */
export function headRows(state: RunState, ledger: Ledger, now: number, width: number): Row[] {
  return [titleRow(state, now, width), countersRow(state, width), budgetRow(state, ledger, now, width)];
}

function titleRow(state: RunState, now: number, width: number): Row {
  const worked = duration(workedUntil(state.clock, now));
  return splitRow(width, { text: state.question, tone: "strong" }, { text: `${state.status} ${worked}`, tone: toneOfState(state.status) });
}

function countersRow(state: RunState, width: number): Row {
  const { limits, iterationsWithoutProgress: idle } = state;
  const agents = [...state.agents.values()];
  const active = agents.filter((agent) => !isFinished(agent)).length;
  const isWide = width >= 70;
  const closed = state.iterations.length;
  const idleTone: Tone | undefined = idle > 0 && idle >= limits.iterations_without_progress - 1 ? "warn" : undefined;
  return rowOf(
    width,
    isWide ? `iteration ${closed}/${limits.iterations}` : `it ${closed}/${limits.iterations}`,
    {
      text: isWide ? `  no progress ${idle}/${limits.iterations_without_progress}` : `  idle ${idle}/${limits.iterations_without_progress}`,
      tone: idleTone,
    },
    isWide ? `  agents ${active}/${agents.length} active` : `  ag ${active}/${agents.length}`,
    isWide ? `  findings ${state.findings.size}` : `  fi ${state.findings.size}`,
    isWide ? `  sources ${state.sources.size}` : `  so ${state.sources.size}`,
  );
}

function budgetRow({ budget, clock }: RunState, ledger: Ledger, now: number, width: number): Row {
  const worked = workedUntil(clock, now);
  const bars = [
    {
      name: "usd",
      share: share(ledger.usd + ledger.reservedUsd, budget.usd ?? Infinity),
      amount: `${money(ledger.usd)}/${budget.usd === null ? "no cap" : money(budget.usd)}`,
    },
    {
      name: "tok",
      share: share(ledger.tokens + ledger.reservedTokens, budget.tokens),
      amount: `${count(ledger.tokens)}/${count(budget.tokens)}`,
    },
    { name: "time", share: share(worked, budget.hours * 3_600_000), amount: `${duration(worked)}/${duration(budget.hours * 3_600_000)}` },
  ];
  return rowOf(
    width,
    ...bars.flatMap(({ name, share, amount }, at): Span[] => {
      const gap = at === 0 ? "" : "  ";
      const tone: Tone = share >= 0.9 ? "bad" : share >= 0.7 ? "warn" : "good";
      if (width < 60) return [{ text: `${gap}${name} ` }, { text: `${Math.floor(share * 100)}%`, tone }];
      const cells = width >= 110 ? 10 : 5;
      return [
        { text: `${gap}${name} ` },
        { text: barOf(share, cells), tone },
        { text: ` ${width >= 90 ? amount : `${Math.floor(share * 100)}%`}`, tone: "dim" },
      ];
    }),
  );
}

/** A budget of nothing is used up. */
function share(used: number, budget: number): number {
  return budget <= 0 ? 1 : Math.min(1, Math.max(0, used / budget));
}

function barOf(share: number, cells: number): string {
  const full = Math.min(cells, Math.floor(share * cells + 0.5));
  return "█".repeat(full) + "░".repeat(cells - full);
}
