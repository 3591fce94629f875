/**
 * The money that all runs of a batch draw from. A run is started with a cap, which is reserved for it; when it has
 * ended, what it spent is counted and the rest is free for later ones. Spent and reserved never pass the total.
 */
export class SharedBudget {
  private readonly total: number | null;
  private readonly spentByOthers: number;
  private readonly spent = new Map<string, number>();
  private readonly reserved = new Map<string, number>();

  /**
   * @param total in US dollars; null for no limit
   * @param spentByOthers what runs have spent that are no item's any more
   */
  constructor(total: number | null, spentByOthers = 0) {
    this.total = total;
    this.spentByOthers = spentByOthers;
  }

  /**
   * Reserves for an item, and gives the cap its run may have: what it wants, or the remainder where that is less.
   * `later` while other runs hold what it lacks, `exhausted` where nothing is left.
   *
   * @param wanted the cap it would have by itself; null for none
   * @param before what its run has spent so far
   */
  reserve(item: string, wanted: number | null, before: number): number | null | "later" | "exhausted" {
    this.settle(item, before);
    if (this.total === null) return wanted;
    const lacks = wanted === null ? Number.POSITIVE_INFINITY : Math.max(0, wanted - before);
    const free = this.total - this.spentByOthers - sum(this.spent) - sum(this.reserved);
    if (lacks > free && this.reserved.size > 0) return "later";
    if (lacks > free && free <= 0) return "exhausted";
    const granted = Math.min(lacks, free);
    this.reserved.set(item, granted);
    return before + granted;
  }

  /** What an item's run has spent in all; nothing is reserved for it any more. */
  settle(item: string, spent: number): void {
    this.reserved.delete(item);
    this.spent.set(item, spent);
  }
}

function sum(amounts: ReadonlyMap<string, number>): number {
  return [...amounts.values()].reduce((total, amount) => total + amount, 0);
}
