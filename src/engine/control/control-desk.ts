import { HypoError, messageOf } from "../../domain/errors.ts";
import type { Clock } from "../../domain/ports.ts";
import type { EngineCrashPoint } from "../crash-points.ts";
import { listRequests, readAnswer, readRequest, writeAnswer, type ControlAnswer, type ControlRequest } from "./request.ts";

const POLL_MS = 150;

export interface ControlDeskOptions {
  /** The run's control folder. */
  folder: string;
  clock: Clock;
  /** Does what is asked and says so. Throws HypoError where it refuses. */
  serve: (request: ControlRequest) => Promise<string>;
  /** True for a message that has reached its agent, in this process or an earlier one. */
  isDelivered: (request: string) => boolean;
  crashAt: (point: EngineCrashPoint) => void;
  say: (line: string) => void;
}

/**
 * Where a live process takes requests from other terminals: it looks into the control folder several times a second
 * and answers each request once. Requests left by an earlier process are answered when the desk opens; a message that
 * was accepted and did not reach its agent is handed over again.
 */
export class ControlDesk {
  private readonly options: ControlDeskOptions;
  private readonly seen = new Set<string>();
  private readonly serving = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  private polling: Promise<void> = Promise.resolve();

  constructor(options: ControlDeskOptions) {
    this.options = options;
  }

  open(): void {
    this.polling = this.poll();
  }

  /** Takes no more requests, and resolves when those that were taken are answered. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.polling;
    await Promise.all(this.serving);
  }

  private async poll(): Promise<void> {
    const { folder, clock, say } = this.options;
    for (let isFirst = true; !this.closing.signal.aborted; isFirst = false) {
      try {
        for (const id of await listRequests(folder)) if (!this.seen.has(id)) this.take(id, isFirst);
      } catch (error) {
        say(`Requests of other terminals cannot be read: ${messageOf(error)}.`);
      }
      await clock.sleep(POLL_MS, this.closing.signal);
    }
  }

  private take(id: string, isLeftOver: boolean): void {
    this.seen.add(id);
    const work = this.answer(id, isLeftOver)
      .catch((error: unknown) => this.options.say(`Request ${id} cannot be answered: ${messageOf(error)}.`))
      .finally(() => this.serving.delete(work));
    this.serving.add(work);
  }

  private async answer(id: string, isLeftOver: boolean): Promise<void> {
    const { folder, crashAt } = this.options;
    const earlier = await readAnswer(folder, id);
    const request = await readRequest(folder, id);
    if (!request || (earlier && !this.isToRepeat(request, earlier))) return;
    if (this.options.isDelivered(id)) return writeAnswer(folder, { v: 1, id, ok: true, message: "It was delivered before." });
    crashAt("control.taken");
    const answer = await this.serve(request, isLeftOver);
    crashAt("control.served");
    if (!earlier) await writeAnswer(folder, answer);
  }

  private isToRepeat(request: ControlRequest, { ok }: ControlAnswer): boolean {
    return ok && request.do === "steer" && !this.options.isDelivered(request.id);
  }

  private async serve(request: ControlRequest, isLeftOver: boolean): Promise<ControlAnswer> {
    const { id } = request;
    try {
      if (isLeftOver && (request.do === "pause" || request.do === "unpause"))
        throw new HypoError("refused", "The process it was for has ended.", { hint: "Ask again." });
      return { v: 1, id, ok: true, message: await this.options.serve(request) };
    } catch (error) {
      const { code, hint } = error instanceof HypoError ? error : { code: "internal", hint: undefined };
      return { v: 1, id, ok: false, message: messageOf(error), code, ...(hint === undefined ? {} : { hint }) };
    }
  }
}
