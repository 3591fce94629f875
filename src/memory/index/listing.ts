import type { Stats } from "node:fs";
import { sha256 } from "../../domain/hash.ts";

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

/** The files of memory/, as columns: to make an object of each of 10,000 takes about as long as to look at them all. */
export class Listing {
  readonly #paths: string[] = [];
  readonly #numbers: number[] = [];
  readonly #refused = new Map<number, string>();

  get size(): number {
    return this.#paths.length;
  }

  add(path: string, stats: Pick<Stats, "size" | "mtimeMs" | "ctimeMs" | "ino">): void {
    this.#paths.push(path);
    this.#numbers.push(stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino);
  }

  refuse(path: string, why: string): void {
    this.#refused.set(this.size, why);
    this.add(path, { size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 });
  }

  /** The same for two listings only where no file has changed; undefined where something stands in a file's place. */
  digest(): string | undefined {
    if (this.#refused.size > 0) return undefined;
    // No path holds a zero byte.
    return sha256(Buffer.concat([new Uint8Array(new Float64Array(this.#numbers).buffer), Buffer.from(this.#paths.join("\0"))]));
  }

  *files(): Generator<FoundFile> {
    for (const [index, path] of this.#paths.entries()) {
      const [size = 0, written = 0, touched = 0, ino = 0] = this.#numbers.slice(index * COLUMNS, (index + 1) * COLUMNS);
      const refused = this.#refused.get(index);
      const stamp = refused ?? `${size}:${written}:${touched}:${ino}`;
      yield { path, size, stamp, changed: Math.floor(Math.max(written, touched)), refused };
    }
  }
}
