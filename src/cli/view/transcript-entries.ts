import { z } from "zod";
import type { EventData, Fact } from "../../domain/events.ts";
import type { Tone } from "../output/color.ts";
import { count, money } from "../output/quantities.ts";
import { describeFact } from "../progress/describe-fact.ts";

/** A part of a transcript: who or what, and what was said, unwrapped. Not yet plain. */
export interface Entry {
  label: string;
  tone: Tone | undefined;
  text: string;
}

/** What a message of a model is made of, as far as people read it. Calls are told by the facts of their own. */
const Message = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional(), thinking: z.string().optional() })),
});

/** Columns of a result or an argument that say enough; the whole is in the journal. */
const LONGEST = 4000;

/** What a fact adds to the transcript of its agent; nothing for bookkeeping. Pure. */
export function entriesOf(fact: Fact): Entry[] {
  switch (fact.type) {
    case "agent_spawned":
      return [{ label: `task (${fact.data.spec.model})`, tone: "strong", text: fact.data.spec.goal }];
    case "agent_started":
      return [{ label: "first prompt", tone: "strong", text: short(fact.data.prompt) }];
    case "agent_steered":
      return [{ label: `message from ${fact.data.by}`, tone: "strong", text: fact.data.message }];
    case "model_answered":
      return answerEntries(fact.data);
    case "tool_started":
      return [{ label: `→ ${fact.data.tool}`, tone: "accent", text: argumentsOf(fact.data.args) }];
    case "tool_finished":
      return [
        {
          label: fact.data.ok ? `← ${fact.data.tool}` : `← ${fact.data.tool} refused`,
          tone: fact.data.ok ? "dim" : "warn",
          text: short(fact.data.text),
        },
      ];
    case "agent_reported":
      return [{ label: `report to ${fact.data.to}`, tone: "strong", text: fact.data.message }];
    case "agent_finished": {
      const { outcome, reason, result } = fact.data;
      return [
        { label: reason === undefined ? outcome : `${outcome}: ${reason}`, tone: outcome === "completed" ? "good" : "warn", text: result },
      ];
    }
    case "spend_reserved":
    case "source_stored":
      return [];
    default: {
      const told = describeFact(fact, () => undefined);
      // The time and the agent are known here.
      return told === undefined ? [] : [{ label: "·", tone: "dim", text: told.split("  ").slice(2).join("  ") }];
    }
  }
}

function answerEntries({ message, usage, purpose }: EventData<"model_answered">): Entry[] {
  const parsed = Message.safeParse(message);
  const label = `answer  ${count(usage.input + usage.output + usage.cache_read + usage.cache_write)} tokens, ${money(usage.usd)}`;
  if (purpose === "summary") return [{ label: `summary of the conversation so far`, tone: "dim", text: textOf(parsed.data) }];
  const thoughts = (parsed.data?.content ?? []).flatMap(({ thinking }) => (thinking === undefined ? [] : [thinking])).join("\n");
  return [
    ...(thoughts === "" ? [] : [{ label: "thinking", tone: "dim" as const, text: short(thoughts) }]),
    { label, tone: "good", text: textOf(parsed.data) },
  ];
}

function textOf(message: z.infer<typeof Message> | undefined): string {
  return (message?.content ?? []).flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}

function argumentsOf(args: unknown): string {
  if (typeof args !== "object" || args === null) return short(JSON.stringify(args) ?? "");
  const lines = Object.entries(args).map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  return short(lines.join("\n"));
}

function short(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}\n… ${count(text.length - LONGEST)} more characters in the journal`;
}
