/** Most characters of derived text kept in memory. */
const CAPACITY = 20_000_000;

/** A text as it was derived or kept. */
export interface ReadyText {
  text: string;
  thin: boolean;
  warnings: string[];
}

/** Derived texts by source, the least recently used dropped first. */
export class TextCache {
  readonly #texts = new Map<string, ReadyText>();
  #size = 0;

  get(id: string): ReadyText | undefined {
    const ready = this.#texts.get(id);
    if (ready !== undefined) {
      this.#texts.delete(id);
      this.#texts.set(id, ready);
    }
    return ready;
  }

  put(id: string, ready: ReadyText): void {
    this.drop(id);
    this.#texts.set(id, ready);
    this.#size += ready.text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#size <= CAPACITY || oldest === id) break;
      this.drop(oldest);
    }
  }

  drop(id: string): void {
    this.#size -= this.#texts.get(id)?.text.length ?? 0;
    this.#texts.delete(id);
  }
}
