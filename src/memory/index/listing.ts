import type { Stats } from "node:fs";
import { crc32 } from "node:zlib";

/** A file that may be a note, or something in its place that is not read. */
export interface FoundFile {
  /** Below memory/, with `/` between folders. */
  path: string;
  size: number;
  /** Differs when the file may have changed: size, times, identity. */
  stamp: string;
  /** Time of the last change, in milliseconds since 1970. */
  changed: number;
  /** Why it is not read, where that is known without reading it. */
  refused: string | undefined;
}

/** Size, time of the last write, time of the last change of any kind, and identity of a file. */
const COLUMNS = 4;
const FIRST_ROWS = 1024;
const NOTHING = { size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 };

/** The files of memory/, as columns: to make an object of each of 10,000 takes about as long as to look at them all. */
export class Listing {
  readonly #paths: string[] = [];
  #numbers = new Float64Array(FIRST_ROWS * COLUMNS);
  readonly #refused = new Map<number, string>();
  #newest = 0;

  get size(): number {
    return this.#paths.length;
  }

  add(path: string, { size, mtimeMs, ctimeMs, ino }: Pick<Stats, "size" | "mtimeMs" | "ctimeMs" | "ino">): void {
    const at = this.size * COLUMNS;
    const numbers = at < this.#numbers.length ? this.#numbers : this.#grow();
    numbers[at] = size;
    numbers[at + 1] = mtimeMs;
    numbers[at + 2] = ctimeMs;
    numbers[at + 3] = ino;
    if (ctimeMs > this.#newest) this.#newest = ctimeMs;
    this.#paths.push(path);
  }

  refuse(path: string, why: string): void {
    this.#refused.set(this.size, why);
    this.add(path, NOTHING);
  }

  /**
   * The same for two listings only where no file has changed: two check sums, and the time of the newest change, which
   * a change moves. (A cryptographic hash takes longer to load than a search to read its notes.) Undefined where
   * something stands in a file's place.
   */
  digest(): string | undefined {
    if (this.#refused.size > 0) return undefined;
    const numbers = new Uint8Array(this.#numbers.buffer, 0, this.size * COLUMNS * Float64Array.BYTES_PER_ELEMENT);
    // No path holds a zero byte.
    return [this.size, this.#newest, crc32(numbers), crc32(this.#paths.join("\0"))].join(":");
  }

  *files(): Generator<FoundFile> {
    for (const [index, path] of this.#paths.entries()) {
      const number = (column: number): number => this.#numbers[index * COLUMNS + column] ?? 0;
      const [size, written, touched, ino] = [number(0), number(1), number(2), number(3)];
      const refused = this.#refused.get(index);
      const stamp = refused ?? `${size}:${written}:${touched}:${ino}`;
      yield { path, size, stamp, changed: Math.floor(Math.max(written, touched)), refused };
    }
  }

  #grow(): Float64Array {
    const larger = new Float64Array(2 * this.#numbers.length);
    larger.set(this.#numbers);
    return (this.#numbers = larger);
  }
}
