/** Copies of one text score alike: which of them come first is for whoever knows more of them to say. */
const MOST_TIES = 1000;

/** Scores of notes while terms add to them, and the notes that have one; numbers in rows, since there may be a million. */
export class ScoredNotes {
  readonly #scores: Float32Array;
  #found: Uint32Array = new Uint32Array(1024);
  #length = 0;

  /** @param size is above the number of every note */
  constructor(size: number) {
    this.#scores = new Float32Array(size);
  }

  /** Begins anew, in the same rows. */
  clear(): void {
    for (let at = 0; at < this.#length; at++) this.#scores[this.#found[at] ?? 0] = 0;
    this.#length = 0;
  }

  get length(): number {
    return this.#length;
  }

  /** `score` is above 0. */
  add(note: number, score: number): void {
    const known = this.#scores[note] ?? 0;
    this.#scores[note] = known + score;
    if (known > 0) return;
    if (this.#length === this.#found.length) {
      const larger = new Uint32Array(this.#found.length * 4);
      larger.set(this.#found);
      this.#found = larger;
    }
    this.#found[this.#length++] = note;
  }

  drop(notes: readonly number[]): void {
    for (const note of notes) this.#scores[note] = 0;
    this.keep((note) => (this.#scores[note] ?? 0) > 0);
  }

  /** Goes on with the notes that a test lets through. */
  keep(test: (note: number) => boolean): void {
    let length = 0;
    for (let at = 0; at < this.#length; at++) {
      const note = this.#found[at] ?? 0;
      if (test(note)) this.#found[length++] = note;
      else this.#scores[note] = 0;
    }
    this.#length = length;
  }

  /** The score of a note; 0 where it has none. */
  scoreOf(note: number): number {
    return this.#scores[note] ?? 0;
  }

  /** The notes with the best scores, best first; so many, and those that score like the last of them. */
  best(most: number): number[] {
    const chosen = this.#chooseBest(most);
    const last = chosen.at(-1);
    if (last === undefined || chosen.length === this.#length) return chosen;
    const [least, known] = [this.scoreOf(last), new Set(chosen)];
    for (let at = 0; at < this.#length && chosen.length < most + MOST_TIES; at++) {
      const note = this.#found[at] ?? 0;
      if (this.scoreOf(note) === least && !known.has(note)) chosen.push(note);
    }
    return chosen;
  }

  #chooseBest(most: number): number[] {
    const heap: number[] = [];
    for (let at = 0; at < this.#length; at++) {
      const note = this.#found[at] ?? 0;
      if (heap.length < most) {
        heap.push(note);
        this.#rise(heap);
      } else if (this.#isBefore(note, heap[0] ?? 0)) {
        heap[0] = note;
        this.#sink(heap);
      }
    }
    return heap.sort((a, b) => (this.#isBefore(a, b) ? -1 : 1));
  }

  #isBefore(a: number, b: number): boolean {
    const scoreA = this.scoreOf(a);
    const scoreB = this.scoreOf(b);
    return scoreA > scoreB || (scoreA === scoreB && a > b);
  }

  /** The worst of the heap is on top, to be given up for a better one. */
  #rise(heap: number[]): void {
    let at = heap.length - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(heap[above] ?? 0, heap[at] ?? 0)) return;
      swap(heap, above, at);
      at = above;
    }
  }

  #sink(heap: number[]): void {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const right = left + 1;
      let worst = at;
      if (left < heap.length && this.#isBefore(heap[worst] ?? 0, heap[left] ?? 0)) worst = left;
      if (right < heap.length && this.#isBefore(heap[worst] ?? 0, heap[right] ?? 0)) worst = right;
      if (worst === at) return;
      swap(heap, at, worst);
      at = worst;
    }
  }
}

function swap(heap: number[], a: number, b: number): void {
  const kept = heap[a] ?? 0;
  heap[a] = heap[b] ?? 0;
  heap[b] = kept;
}
