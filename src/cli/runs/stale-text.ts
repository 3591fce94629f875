import type { StaleItem } from "../../report/index.ts";
import { plainLine } from "../output/plain-text.ts";
import { cut } from "../output/width.ts";

const NAMED = 6;

/** One line that says how much is stale and names it; undefined where nothing is. */
export function staleSummary(items: readonly StaleItem[]): string | undefined {
  if (items.length === 0) return undefined;
  const kinds = [...Map.groupBy(items, ({ kind }) => kind)].map(([kind, all]) => countOf(all.length, kind));
  const ids = [...new Set(items.filter(({ kind }) => kind !== "sentence").map(({ id }) => id))];
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : "";
  return plainLine(`Stale: ${kinds.join(", ")} (${ids.slice(0, NAMED).join(", ")}${more}); hypo memory stale says why`);
}

/** An item in two lines: what it is, and what it rests on that changed. */
export function staleLines({ kind, id, run, text, why, through }: StaleItem, width: number): string[] {
  const chain = through.length === 0 ? "" : ` (through ${through.map(shorten).join(", ")})`;
  return [cut(plainLine(`${kind} ${id}: ${text}`), width), cut(plainLine(`${why}${chain}; run ${run}`), width - 2)];
}

function countOf(number: number, kind: StaleItem["kind"]): string {
  if (number === 1) return `1 ${kind}`;
  return `${number} ${kind === "hypothesis" ? "hypotheses" : `${kind}s`}`;
}

function shorten(id: string): string {
  return /^[0-9a-f]{64}$/.test(id) ? id.slice(0, 12) : id;
}
