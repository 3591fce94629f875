import { createHash } from "node:crypto";

/** How much of a stream is kept: its first bytes, and its last. */
const HEAD_BYTES = 1024 * 1024;
const TAIL_BYTES = 64 * 1024;
/** Characters of each end that the result itself carries. */
const EXCERPT_CHARACTERS = 4000;

/** The first and the last bytes of a stream of any length. */
export class Capture {
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  private tail: Buffer = Buffer.alloc(0);
  private readonly hash = createHash("sha256");
  total = 0;

  add(chunk: Buffer): void {
    this.total += chunk.length;
    this.hash.update(chunk);
    const room = Math.min(chunk.length, HEAD_BYTES - this.headBytes);
    if (room > 0) {
      this.head.push(Buffer.from(chunk.subarray(0, room)));
      this.headBytes += room;
    }
    if (room < chunk.length) this.tail = Buffer.concat([this.tail, chunk.subarray(room)]).subarray(-TAIL_BYTES);
  }

  /** SHA-256 of everything so far, also of what is not kept. */
  sha256(): string {
    return this.hash.copy().digest("hex");
  }

  /** What is kept, with a line that counts what is not. */
  log(): Buffer {
    const left = this.total - this.headBytes - this.tail.length;
    const gap = left > 0 ? Buffer.from(`\n[${left} bytes left out]\n`) : Buffer.alloc(0);
    return Buffer.concat([...this.head, gap, this.tail]);
  }

  /** Both ends as text that a terminal cannot be harmed by; the tail is empty where the head holds everything. */
  excerpt(): { head: string; tail: string } {
    const text = printable(this.log().toString("utf8"));
    if (text.length <= EXCERPT_CHARACTERS) return { head: text, tail: "" };
    // Cutting may split a surrogate pair; what is left of it becomes U+FFFD.
    return { head: text.slice(0, EXCERPT_CHARACTERS).toWellFormed(), tail: text.slice(-EXCERPT_CHARACTERS).toWellFormed() };
  }
}

/**
 * The streams that stored logs are of; undefined where one is missing or was too long to be kept whole, since then nobody
 * can tell what it was.
 */
export function recoverOutput(logs: { stdout?: Buffer; stderr?: Buffer }): { stdout: Capture; stderr: Capture } | undefined {
  const [stdout, stderr] = [recoverCapture(logs.stdout), recoverCapture(logs.stderr)];
  return stdout && stderr ? { stdout, stderr } : undefined;
}

function recoverCapture(log: Buffer | undefined): Capture | undefined {
  // A longer one has a line in its middle that counts what was left out.
  if (log === undefined || log.length > HEAD_BYTES + TAIL_BYTES) return undefined;
  const capture = new Capture();
  capture.add(log);
  return capture;
}

/** Control characters, which could move a cursor or fake a prompt, become U+FFFD; tabs and newlines stay. */
function printable(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}

/**
 * Takes apart the stream in which Docker mixes stdout and stderr (frames of an 8-byte header: stream number, three
 * zero bytes, big-endian length), without ever assembling a frame.
 */
export class OutputSplitter {
  readonly stdout = new Capture();
  readonly stderr = new Capture();
  /** Told the bytes of both streams after every chunk. */
  onTotal: ((total: number) => void) | undefined;
  private readonly header = Buffer.alloc(8);
  private headerBytes = 0;
  private left = 0;
  private target = this.stdout;

  private get total(): number {
    return this.stdout.total + this.stderr.total;
  }

  push(chunk: Buffer): void {
    this.split(chunk);
    this.onTotal?.(this.total);
  }

  private split(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.left === 0) {
        const taken = Math.min(8 - this.headerBytes, chunk.length - at);
        chunk.copy(this.header, this.headerBytes, at, at + taken);
        this.headerBytes += taken;
        at += taken;
        if (this.headerBytes < 8) return;
        this.headerBytes = 0;
        this.target = this.header[0] === 2 ? this.stderr : this.stdout;
        this.left = this.header.readUInt32BE(4);
      } else {
        const taken = Math.min(this.left, chunk.length - at);
        this.target.add(chunk.subarray(at, at + taken));
        this.left -= taken;
        at += taken;
      }
    }
  }
}
