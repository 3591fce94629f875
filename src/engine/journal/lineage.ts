import type { BranchMove, Fact } from "../../domain/events.ts";
import { MAIN_BRANCH } from "../../domain/ids.ts";

/** Branch names become folder names. */
const BRANCH_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

export function isBranchName(text: string): boolean {
  return BRANCH_NAME.test(text);
}

/** A lineage as it is kept in a snapshot: `parents` are 32-bit numbers in base64, left out where nothing is forked. */
export interface SavedLineage {
  heads: [branch: string, head: number][];
  moves: [branch: string, count: number][];
  last: number;
  parents?: string | undefined;
}

/**
 * How the facts of a journal hang together: the parent of each and the head of each branch. Four bytes a fact, so
 * that a run of days does not grow with what it has written.
 */
export class Lineage {
  readonly heads = new Map<string, number>();
  /** How often each head was put somewhere, its creation included. */
  readonly moves = new Map<string, number>();
  #parents = new Int32Array(1024);
  #last = 0;
  #isUnforked = true;

  /** The highest `seq` given so far. */
  get last(): number {
    return this.#last;
  }

  /** True while every fact follows the one with the number before it: a head's ancestry is then all up to it. */
  get isUnforked(): boolean {
    return this.#isUnforked;
  }

  /** Adds a fact; returns what is wrong with its place, if anything, and then adds nothing. */
  addFact(fact: Pick<Fact, "seq" | "parent" | "branch">): string | undefined {
    const head = this.heads.get(fact.branch);
    if (fact.seq !== this.#last + 1) return `its seq is ${fact.seq}, expected ${this.#last + 1}`;
    if (head === undefined) return `no record before it created the branch "${fact.branch}"`;
    if (fact.parent !== head) return `its parent is ${fact.parent}, but the head of "${fact.branch}" was at ${head}`;
    if (fact.seq === this.#parents.length) this.#grow();
    this.#parents[fact.seq] = fact.parent;
    this.#last = fact.seq;
    this.#isUnforked &&= fact.parent === fact.seq - 1;
    this.heads.set(fact.branch, fact.seq);
    return undefined;
  }

  /** Creates or moves a head; returns what is wrong with the move, if anything, and then moves nothing. */
  addMove(move: Pick<BranchMove, "branch" | "head" | "from">): string | undefined {
    const { branch, head, from } = move;
    const now = this.heads.get(branch);
    if (this.heads.size === 0 && (branch !== MAIN_BRANCH || head !== 0)) return `the first record must create "${MAIN_BRANCH}" at 0`;
    if (!isBranchName(branch)) return `"${branch}" cannot name a branch (letters, digits, ".", "_" and "-", at most 64)`;
    if (!Number.isInteger(head) || head < 0 || head > this.#last) return `there is no fact ${head} to put "${branch}" at`;
    if (from === undefined && now !== undefined) return `the branch "${branch}" exists already, with its head at ${now}`;
    if (from !== undefined && from !== now)
      return `it moves "${branch}" from ${from}, but its head was ${now === undefined ? "nowhere" : `at ${now}`}`;
    this.heads.set(branch, head);
    this.moves.set(branch, (this.moves.get(branch) ?? 0) + 1);
    return undefined;
  }

  /** The fact before another on its ancestry, 0 for none. */
  parentOf(seq: number): number {
    return this.#parents[seq] ?? 0;
  }

  /** Which facts lie on the ancestry of `head`, itself included; the numbers may grow afterwards, the answer stays. */
  ancestorsOf(head: number): (seq: number) => boolean {
    if (this.#isUnforked) return (seq) => seq <= head;
    const marks = new Uint8Array(head + 1);
    for (let seq = head; seq > 0; seq = this.#parents[seq] ?? 0) marks[seq] = 1;
    return (seq) => marks[seq] === 1;
  }

  /** Everything known, as plain data for `restore`. */
  save(): SavedLineage {
    const parents = this.#isUnforked ? undefined : Buffer.from(this.#parents.buffer, 0, (this.#last + 1) * 4).toString("base64");
    return { heads: [...this.heads], moves: [...this.moves], last: this.#last, ...(parents === undefined ? {} : { parents }) };
  }

  static restore({ heads, moves, last, parents }: SavedLineage): Lineage {
    const lineage = new Lineage();
    for (const [branch, head] of heads) lineage.heads.set(branch, head);
    for (const [branch, count] of moves) lineage.moves.set(branch, count);
    lineage.#last = last;
    lineage.#isUnforked = parents === undefined;
    lineage.#parents = new Int32Array(Math.max(1024, last * 2));
    if (parents === undefined) for (let seq = 1; seq <= last; seq += 1) lineage.#parents[seq] = seq - 1;
    else lineage.#parents.set(new Int32Array(new Uint8Array(Buffer.from(parents, "base64")).buffer));
    return lineage;
  }

  #grow(): void {
    const parents = new Int32Array(this.#parents.length * 2);
    parents.set(this.#parents);
    this.#parents = parents;
  }
}
