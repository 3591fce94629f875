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
  /** What became of a message, in this process or an earlier one; undefined while it is on its way. */
  fateOf: (request: string) => MessageFate | undefined;
  crashAt: (point: EngineCrashPoint) => void;
  say: (line: string) => void;
}

export type MessageFate = "delivered" | "undelivered";

const UNREAD = "The agent has ended without having read the message.";

/**
 * Where a live process takes requests from other terminals: it looks into the control folder several times a second
 * and answers each request once. Requests left by an earlier process are answered when the desk opens; a message that
 * was accepted and did not reach its agent is handed over again, or its answer is taken back where the agent has ended.
 */
export class ControlDesk {
  private readonly options: ControlDeskOptions;
  private readonly seen = new Set<string>();
  private readonly serving = new Map<string, Promise<void>>();
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
    await Promise.all(this.serving.values());
  }

  /** Takes back that a message was accepted, since its agent has ended without having read it. */
  withdraw(id: string): void {
    const answered = this.serving.get(id) ?? Promise.resolve();
    this.track(
      id,
      answered.then(() => writeAnswer(this.options.folder, refusal(id, UNREAD))),
    );
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
    this.track(id, this.answer(id, isLeftOver));
  }

  private track(id: string, answering: Promise<void>): void {
    const work = answering
      .catch((error: unknown) => this.options.say(`Request ${id} cannot be answered: ${messageOf(error)}.`))
      .finally(() => {
        if (this.serving.get(id) === work) this.serving.delete(id);
      });
    this.serving.set(id, work);
  }

  private async answer(id: string, isLeftOver: boolean): Promise<void> {
    const { folder, crashAt, say } = this.options;
    const earlier = await readAnswer(folder, id);
    const request = await readRequest(folder, id);
    if (!request || (earlier && !(earlier.ok && request.do === "steer"))) return;
    const fate = this.options.fateOf(id);
    if (fate === "undelivered") return writeAnswer(folder, refusal(id, UNREAD));
    if (fate === "delivered") return earlier ? undefined : writeAnswer(folder, { v: 1, id, ok: true, message: "It was delivered before." });
    crashAt("control.taken");
    const answer = await this.serve(request, isLeftOver);
    crashAt("control.served");
    if (!earlier || !answer.ok) await writeAnswer(folder, answer);
    if (isLeftOver && request.do === "steer" && !answer.ok) say(`A message to ${request.agent} does not reach it: ${answer.message}`);
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

function refusal(id: string, message: string): ControlAnswer {
  return { v: 1, id, ok: false, message, code: "refused", hint: "`hypo show` lists the agents, `hypo log` what became of them." };
}
