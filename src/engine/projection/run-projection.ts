import type { Fact, JournalRecord } from "../../domain/events.ts";
import { isFact } from "../../domain/records.ts";
import { evolve } from "../state/evolve.ts";
import { emptyLedger, evolveLedger, type Ledger } from "../state/ledger.ts";
import { emptyRunState, type RunState } from "../state/run-state.ts";

/** Where the facts of a branch are read again. */
interface Ancestries {
  ancestry(branch: string): AsyncIterable<Fact>;
}

/**
 * What a run's records come to: the state of each branch and the ledger of all. Given every record once, in order, it
 * keeps up with what is appended; only a branch whose head was put at an earlier fact has to be read again.
 */
export class RunProjection {
  readonly ledger: Ledger;
  private readonly states: Map<string, RunState>;

  constructor(states = new Map<string, RunState>(), ledger = emptyLedger()) {
    this.states = states;
    this.ledger = ledger;
  }

  /** States that are up to date without reading anything. */
  get known(): ReadonlyMap<string, RunState> {
    return this.states;
  }

  apply(record: JournalRecord): void {
    if (isFact(record)) {
      const state = this.states.get(record.branch);
      if (state) evolve(state, record);
      evolveLedger(this.ledger, record);
    } else if (record.head === 0) this.states.set(record.branch, emptyRunState());
    else this.states.delete(record.branch);
  }

  /** The state of a branch at its head. No record may be applied meanwhile. Throws `not_found` for an unknown branch. */
  async stateOf(branch: string, journal: Ancestries): Promise<RunState> {
    const known = this.states.get(branch);
    if (known) return known;
    const state = emptyRunState();
    for await (const fact of journal.ancestry(branch)) evolve(state, fact);
    this.states.set(branch, state);
    return state;
  }
}
