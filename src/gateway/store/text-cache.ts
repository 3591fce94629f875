/** Most characters of derived text kept in memory. */
const CAPACITY = 20_000_000;

/** Derived texts by source, the least recently used dropped first. */
export class TextCache {
  readonly #texts = new Map<string, string>();
  #size = 0;

  get(id: string): string | undefined {
    const text = this.#texts.get(id);
    if (text !== undefined) {
      this.#texts.delete(id);
      this.#texts.set(id, text);
    }
    return text;
  }

  put(id: string, text: string): void {
    this.#drop(id);
    this.#texts.set(id, text);
    this.#size += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#size <= CAPACITY || oldest === id) break;
      this.#drop(oldest);
    }
  }

  #drop(id: string): void {
    this.#size -= this.#texts.get(id)?.length ?? 0;
    this.#texts.delete(id);
  }
}
