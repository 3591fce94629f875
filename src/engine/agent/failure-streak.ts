import { canonicalJson } from "../../domain/hash.ts";
import type { ModelAnswer, ModelRequest } from "../../domain/model.ts";

/** An agent is told off after so many fruitless repetitions, and ended after so many. */
const REPEATS_BEFORE_ADVICE = 3;
const REPEATS_BEFORE_END = 6;

/** How often the latest call was repeated in vain, and what that calls for. */
export interface Streak {
  count: number;
  tool: string;
  /** `advise` once for each streak. */
  due: "nothing" | "advise" | "end";
}

/**
 * Notices an agent that goes round in a circle: the same call failing again and again, or the same call bringing the
 * same result. Fed with every answer and the results that follow, in order; a replay feeds it the same.
 */
export class FailureStreak {
  private calls = new Map<string, string>();
  private key = "";
  private count = 0;
  private tool = "";
  private isAdvised = false;

  /** Counts the results of the previous answer. */
  note(results: ModelRequest["results"]): Streak {
    for (const { callId, isError, text } of results) {
      const call = this.calls.get(callId);
      if (call === undefined) continue;
      const key = isError ? call : `${call}\n${text}`;
      this.count = key === this.key ? this.count + 1 : 1;
      if (this.count === 1) this.isAdvised = false;
      this.key = key;
      this.tool = call.slice(0, call.indexOf("\n"));
    }
    return { count: this.count, tool: this.tool, due: this.whatIsDue() };
  }

  private whatIsDue(): Streak["due"] {
    if (this.count >= REPEATS_BEFORE_END) return "end";
    if (this.count < REPEATS_BEFORE_ADVICE || this.isAdvised) return "nothing";
    this.isAdvised = true;
    return "advise";
  }

  remember(answer: ModelAnswer): void {
    this.calls = new Map(answer.toolCalls.map((call) => [call.id, `${call.name}\n${canonicalJson(call.args)}`]));
  }
}
