import { canonicalJson } from "../../domain/hash.ts";
import type { ModelAnswer, ModelRequest } from "../../domain/model.ts";

/** An agent is told off after so many fruitless repetitions, and ended after so many. */
export const REPEATS_BEFORE_ADVICE = 3;
export const REPEATS_BEFORE_END = 6;

/**
 * Notices an agent that goes round in a circle: the same call failing again and again, or the same call bringing the
 * same result. Fed with every answer and the results that follow, in order; a replay feeds it the same.
 */
export class FailureStreak {
  private calls = new Map<string, string>();
  private key = "";
  private count = 0;
  private tool = "";

  /** Counts the results of the previous answer. Gives the length of the streak and the tool it is about. */
  note(results: ModelRequest["results"]): { count: number; tool: string } {
    for (const { callId, isError, text } of results) {
      const call = this.calls.get(callId);
      if (call === undefined) continue;
      const key = isError ? call : `${call}\n${text}`;
      this.count = key === this.key ? this.count + 1 : 1;
      this.key = key;
      this.tool = call.slice(0, call.indexOf("\n"));
    }
    return { count: this.count, tool: this.tool };
  }

  remember(answer: ModelAnswer): void {
    this.calls = new Map(answer.toolCalls.map((call) => [call.id, `${call.name}\n${canonicalJson(call.args)}`]));
  }
}
