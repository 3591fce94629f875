import { Worker } from "node:worker_threads";
import { HypoError, systemCodeOf } from "../../domain/errors.ts";
import { cancelled } from "../deadline.ts";
import type { DerivedText, DeriveJob } from "./derived-text.ts";
import type { ExtractionOutcome, ExtractionStart } from "./extraction-worker.ts";

export interface ExtractionLimits {
  /** Longest time of one document, in milliseconds. */
  timeoutMs: number;
  /** Longest time until a worker has loaded its libraries, in milliseconds: on a busy machine that is no document's fault. */
  startMs: number;
  /** Largest heap of one worker, in megabytes. */
  memoryMb: number;
  workers: number;
}

const EXTRACTION_LIMITS: ExtractionLimits = { timeoutMs: 20_000, startMs: 120_000, memoryMb: 512, workers: 2 };

/** Runs from the sources and from the compiled files alike: the worker has the extension that this module has. */
const WORKER_FILE = new URL(`./extraction-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** Worker threads that are started when first needed, used again, and ended where a document takes too long. */
export class ExtractionPool {
  readonly #limits: ExtractionLimits;
  readonly #workerFile: URL;
  readonly #idle: Worker[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: ExtractionLimits = EXTRACTION_LIMITS, workerFile: URL = WORKER_FILE) {
    this.#limits = limits;
    this.#workerFile = workerFile;
  }

  /** @throws HypoError `timeout`, `too_large` (memory), `no_text`, `unsupported_type`, or `refused` where stopped. */
  async run(job: DeriveJob, signal: AbortSignal): Promise<DerivedText> {
    if (this.#running >= this.#limits.workers) await new Promise<void>((done) => this.#waiting.push(done));
    else this.#running += 1;
    try {
      if (signal.aborted) throw cancelled(job.url, signal);
      return await this.#extract(this.#idle.pop() ?? this.#start(), job, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: this.#limits.memoryMb };
    // What a worker prints is nobody's screen. Nor is it read: a stream once read would keep the process from ending.
    const worker = new Worker(this.#workerFile, { execArgv: [], env: {}, resourceLimits, stdout: true, stderr: true });
    // What a dying worker says is heard by the job it works for; an idle one has nothing to say.
    worker.on("error", () => this.#forget(worker));
    worker.on("exit", () => this.#forget(worker));
    return worker;
  }

  async #extract(worker: Worker, job: DeriveJob, signal: AbortSignal): Promise<DerivedText> {
    worker.ref();
    const ending = new AbortController();
    const { timeoutMs, startMs } = this.#limits;
    const endAfter = (ms: number): NodeJS.Timeout => setTimeout(() => ending.abort(tooSlow(job.url, ms)), ms);
    let timer = endAfter(startMs);
    const restartTimer = (): void => {
      clearTimeout(timer);
      timer = endAfter(timeoutMs);
    };
    const cancel = (): void => ending.abort(cancelled(job.url, signal));
    signal.addEventListener("abort", cancel);
    try {
      const outcome = await ask(worker, job, ending.signal, restartTimer);
      worker.unref();
      this.#idle.push(worker);
      if (outcome.ok) return outcome.derived;
      throw new HypoError(outcome.code, outcome.message, { hint: outcome.hint });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      if (!this.#idle.includes(worker)) await worker.terminate();
    }
  }

  #forget(worker: Worker): void {
    const index = this.#idle.indexOf(worker);
    if (index >= 0) this.#idle.splice(index, 1);
  }
}

function ask(worker: Worker, job: DeriveJob, signal: AbortSignal, onStart: () => void): Promise<ExtractionOutcome> {
  return new Promise((done, fail) => {
    const onMessage = (message: ExtractionOutcome | ExtractionStart): void => {
      if ("started" in message) onStart();
      else settle(() => done(message));
    };
    const onError = (error: unknown): void => settle(() => fail(workerDied(job.url, error)));
    const onExit = (): void => settle(() => fail(workerDied(job.url, undefined)));
    const onAbort = (): void => settle(() => fail(signal.reason instanceof Error ? signal.reason : workerDied(job.url, signal.reason)));
    const settle = (finish: () => void): void => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      signal.removeEventListener("abort", onAbort);
      finish();
    };
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    signal.addEventListener("abort", onAbort);
    worker.postMessage(job, []);
  });
}

function workerDied(url: string, error: unknown): HypoError {
  const outOfMemory = systemCodeOf(error) === "ERR_WORKER_OUT_OF_MEMORY";
  const [code, why] = outOfMemory ? (["too_large", "needs too much memory"] as const) : (["no_text", "ended its worker"] as const);
  return new HypoError(code, `Making text of ${url} ${why}.`, { hint: "Read another source.", cause: error });
}

function tooSlow(url: string, ms: number): HypoError {
  return new HypoError("timeout", `Making text of ${url} took over ${ms / 1000} s.`, { hint: "Read another source." });
}
