import type { Fact } from "../../domain/events.ts";
import type { AgentId } from "../../domain/ids.ts";
import { plainBlock, plainLine } from "../output/plain-text.ts";
import { wrapBlock } from "../output/wrap.ts";
import { rowOf, type Row } from "./row.ts";
import { entriesOf, type Entry } from "./transcript-entries.ts";

/** Characters of an answer under way that are kept: its end is what is read. */
const LONGEST_PARTIAL = 4000;

/** What one agent was asked, did and said so far: what was recorded before, and what comes while that is read. */
export class Transcript {
  readonly agent: AgentId;
  private readonly entries: Entry[] = [];
  private readonly rows: Row[] = [];
  private width = 0;
  private wrapped = 0;
  private last = 0;
  private partial = "";
  private waiting: Fact[] | undefined;

  constructor(agent: AgentId) {
    this.agent = agent;
  }

  /** Reads what was recorded before; what is added meanwhile comes after it. */
  async readFrom(facts: AsyncIterable<Fact>): Promise<void> {
    this.waiting = [];
    try {
      for await (const fact of facts) this.take(fact);
    } finally {
      const late = this.waiting;
      this.waiting = undefined;
      for (const fact of late) this.take(fact);
    }
  }

  /** A new fact. Those of other agents change nothing. */
  add(fact: Fact): void {
    if (endsPartial(fact) && fact.data.agent === this.agent) this.partial = "";
    if (this.waiting) this.waiting.push(fact);
    else this.take(fact);
  }

  private take(fact: Fact): void {
    if (fact.seq <= this.last || !("agent" in fact.data) || fact.data.agent !== this.agent) return;
    this.last = fact.seq;
    this.entries.push(...entriesOf(fact));
  }

  /** More of the answer that is under way. */
  stream(delta: string): void {
    this.partial = (this.partial + delta).slice(-LONGEST_PARTIAL);
  }

  /** All of it in rows of a width. Only what is new is wrapped, as long as the width stays. */
  rowsAt(width: number): readonly Row[] {
    if (width !== this.width) {
      this.rows.length = 0;
      this.wrapped = 0;
      this.width = width;
    }
    for (const entry of this.entries.slice(this.wrapped)) this.rows.push(...entryRows(entry, width));
    this.wrapped = this.entries.length;
    return this.partial === ""
      ? this.rows
      : [...this.rows, ...entryRows({ label: "answers ...", tone: "accent", text: this.partial }, width)];
  }
}

/** An answer is there, is asked for anew after one that was cut off, or will not come any more. */
function endsPartial(fact: Fact): fact is Extract<Fact, { type: "spend_reserved" | "model_answered" | "agent_finished" }> {
  return fact.type === "spend_reserved" || fact.type === "model_answered" || fact.type === "agent_finished";
}

function entryRows({ label, tone, text }: Entry, width: number): Row[] {
  const body = plainBlock(text).trim();
  if (label === "·") return [rowOf(width, { text: `· ${plainLine(body)}`, tone })];
  const lines = body === "" ? [] : wrapBlock(body, width - 2);
  return [rowOf(width, { text: label, tone }), ...lines.map((line) => rowOf(width, `  ${line}`))];
}
