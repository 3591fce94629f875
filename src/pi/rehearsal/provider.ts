import {
  createAssistantMessageEventStream,
  createProvider,
  type AssistantMessage,
  type JsonObject,
  type Message,
  type Model,
} from "@earendil-works/pi-ai";
import type { ModelRuntime } from "@earendil-works/pi-coding-agent";
import { rehearse, type Conversation } from "./researcher.ts";

const MODEL: Model<"rehearsal"> = {
  id: "researcher",
  name: "Rehearsal researcher",
  api: "rehearsal",
  provider: "rehearsal",
  baseUrl: "https://rehearsal.hypo.example",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 128_000,
  maxTokens: 8192,
};

/** Registers `rehearsal/researcher`, a scripted researcher that stands where a model would, without any network. */
export function registerRehearsal(runtime: ModelRuntime): void {
  const stream = (model: Model<"rehearsal">, context: { messages: readonly Message[] }) => {
    const events = createAssistantMessageEventStream();
    const message = play(model, context.messages);
    events.push({ type: "start", partial: message });
    events.push({ type: "done", reason: message.stopReason === "toolUse" ? "toolUse" : "stop", message });
    events.end();
    return events;
  };
  runtime.registerNativeProvider(
    createProvider({
      id: "rehearsal",
      auth: { apiKey: { name: "Rehearsal", resolve: () => Promise.resolve({ auth: {} }) } },
      models: [MODEL],
      api: { stream, streamSimple: stream },
    }),
  );
}

function play(model: Model<"rehearsal">, messages: readonly Message[]): AssistantMessage {
  const conversation = readConversation(messages);
  const { text, calls } = rehearse(conversation);
  const content: AssistantMessage["content"] = text === "" ? [] : [{ type: "text", text }];
  calls.forEach((call, i) =>
    content.push({ type: "toolCall", id: `r${conversation.answers}_${i}`, name: call.name, arguments: call.args as JsonObject }),
  );
  const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);
  const usage = { input: tokens(messages), output: tokens(content), cacheRead: 0, cacheWrite: 0 };
  return {
    role: "assistant",
    content,
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { ...usage, totalTokens: usage.input + usage.output, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } },
    stopReason: calls.length > 0 ? "toolUse" : "stop",
    timestamp: Date.now(),
  };
}

/** The conversation so far, as the script reads it: prompts and tool results, in order. */
function readConversation(messages: readonly Message[]): Conversation {
  const text = (content: unknown): string =>
    typeof content === "string"
      ? content
      : Array.isArray(content)
        ? content.map((part: { text?: string }) => part.text ?? "").join("")
        : "";
  return {
    prompts: messages.filter((message) => message.role === "user").map((message) => text(message.content)),
    results: messages.flatMap((message) =>
      message.role === "toolResult" ? [{ tool: message.toolName, ok: !message.isError, text: text(message.content) }] : [],
    ),
    answers: messages.filter((message) => message.role === "assistant").length,
  };
}
