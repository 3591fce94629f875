/** Does the work of one owner piece by piece, in the order it was asked for, and that of different owners side by side. */
export class OneAtATime {
  private readonly latest = new Map<string, Promise<unknown>>();

  /** Resolves or rejects as the work does, which begins when all earlier work of the same owner has ended. */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.latest.get(owner) ?? Promise.resolve()).then(work, work);
    this.latest.set(owner, mine);
    try {
      return await mine;
    } finally {
      if (this.latest.get(owner) === mine) this.latest.delete(owner);
    }
  }
}
