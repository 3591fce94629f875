import { keyOf, type AgentRecall } from "../recall.ts";
import type { AgentMessage } from "./agent-message.ts";

/**
 * Messages on their way to one agent. One that was accepted is either read by the agent, which is when its model
 * answers after it was handed over, or given back when the agent ends.
 */
export class Mailbox {
  private readonly waiting: AgentMessage[];
  private readonly delivered: ReadonlySet<string>;
  /** Handed over since the agent's latest answer. */
  private unread: AgentMessage[] = [];
  private isClosed = false;

  constructor({ undelivered, delivered }: AgentRecall) {
    this.waiting = [...undelivered];
    this.delivered = delivered;
  }

  /** Takes a message. False where the agent has ended and reads nothing any more. */
  accept(message: AgentMessage): boolean {
    if (this.isClosed) return false;
    const key = keyOf(message);
    // A call that is made again after a crash sends again what may have reached the agent, or be on its way.
    const isKnown = key !== undefined && (this.delivered.has(key) || this.waiting.some((each) => keyOf(each) === key));
    if (!isKnown) this.waiting.push(message);
    return true;
  }

  /** The oldest message that waits. It counts as handed over. */
  take(): AgentMessage | undefined {
    const message = this.waiting.shift();
    if (message) this.unread.push(message);
    return message;
  }

  /** All that wait. They count as handed over. */
  takeAll(): AgentMessage[] {
    const messages = this.waiting.splice(0);
    this.unread.push(...messages);
    return messages;
  }

  /** A message that was handed over in an earlier process is being played again. */
  noteHanded(message: AgentMessage): void {
    this.unread.push(message);
  }

  /** The agent's model has answered, and so it has read what it was handed before. */
  noteAnswer(): void {
    this.unread = [];
  }

  /** Takes no more messages, and gives back those of people and parents that the agent has not read. */
  close(): AgentMessage[] {
    this.isClosed = true;
    return [...this.unread.splice(0), ...this.waiting.splice(0)].filter(({ by }) => by !== "engine");
  }
}
