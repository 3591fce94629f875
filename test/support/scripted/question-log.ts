import type { ScriptedAnswer } from "./answer.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { SendOutcome } from "./send-answer.ts";

/** A question: what an agent asks after so many answers. Two processes ask the same one in the same words. */
export interface Question {
  /** The agent's id, or the session where no agent is named. */
  agent: string;
  /** Answers the agent had by then. */
  assistantMessages: number;
}

export interface RequestRecord extends Question {
  request: ChatRequest;
  /** `open` while it is being answered; `broken` where the script threw. */
  outcome: "open" | "broken" | SendOutcome;
  answer: ScriptedAnswer | undefined;
}

/** Every request with how it ended, and how many were open at once. */
export class QuestionLog {
  readonly records: RequestRecord[] = [];
  maxActive = 0;
  readonly #active = new Set<RequestRecord>();
  readonly #asked = new Map<string, number>();

  /** Records a request as it arrives, and counts it as active. */
  enter(parsed: Omit<ChatRequest, "index" | "attempt">): RequestRecord {
    const key = questionKey(parsed);
    const attempt = this.#asked.get(key) ?? 0;
    this.#asked.set(key, attempt + 1);
    const record: RequestRecord = {
      request: { ...parsed, index: this.records.length, attempt },
      agent: parsed.agent?.id ?? parsed.session ?? "",
      assistantMessages: parsed.assistantMessages,
      outcome: "open",
      answer: undefined,
    };
    this.records.push(record);
    this.#active.add(record);
    this.maxActive = Math.max(this.maxActive, this.#active.size);
    return record;
  }

  /** Counts a request as active no longer. */
  leave(record: RequestRecord): void {
    this.#active.delete(record);
  }

  /**
   * Requests for something that had been answered to its last byte before. An answer that reached a process just
   * before it was killed counts too: where that can happen, ask `askedAgain` with what the journal holds.
   */
  repeatedQuestions(): RequestRecord[] {
    const answered = new Set<string>();
    return this.records.filter((record) => {
      const key = questionKey(record.request);
      const isRepeated = answered.has(key);
      if (record.outcome === "answered") answered.add(key);
      return isRepeated;
    });
  }

  /** Requests from place `since` on for questions whose answers were on record by then. */
  askedAgain(recorded: Question[], since: number): RequestRecord[] {
    const known = new Set(recorded.map(({ agent, assistantMessages }) => `${agent} ${assistantMessages}`));
    return this.records.slice(since).filter(({ agent, assistantMessages }) => known.has(`${agent} ${assistantMessages}`));
  }
}

/** Sessions carry the run in their id, so that two runs on one server are told apart. */
function questionKey(request: Pick<ChatRequest, "session" | "agent" | "assistantMessages">): string {
  return JSON.stringify([request.session, request.agent?.id, request.assistantMessages]);
}
