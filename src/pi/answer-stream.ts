import { createAssistantMessageEventStream, type AssistantMessage, type ToolResultMessage } from "@earendil-works/pi-ai";
import type { AgentSession as PiSession } from "@earendil-works/pi-coding-agent";
import { messageOf } from "../domain/errors.ts";
import type { AnswerModel, ModelAnswer, ModelAttempt, ModelAttemptOptions, ModelRequest, ResolvedModel } from "../domain/model.ts";
import { classifyFailure, readRetryAfter, type HttpTrace } from "./classify-failure.ts";

type StreamFn = PiSession["agent"]["streamFunction"];
type StreamArgs = Parameters<StreamFn>;

/** What the latest turn of a session ended with. */
export interface LatestAnswer {
  text: string;
  error: string | undefined;
}

/**
 * Puts the engine between a session and its provider. The session gets each answer whole, when the engine has
 * recorded it; retries and recorded answers are invisible to it. Summaries of long conversations pass here too.
 */
export function interceptModel(session: PiSession, model: ResolvedModel, answer: AnswerModel, latest: LatestAnswer): void {
  const provider = session.agent.streamFunction;
  const usedCallIds = new Set<string>();
  session.agent.streamFunction = (piModel, context, options) => {
    const stream = createAssistantMessageEventStream();
    const purpose = options?.sessionId === session.sessionId ? "turn" : "summary";
    const request: ModelRequest = { ...describeRequest(context), purpose, model, signal: options?.signal };
    const attempt = (how: ModelAttemptOptions): Promise<ModelAttempt> =>
      attemptOnce(provider, [piModel, context, options], how, usedCallIds);
    void answer(request, attempt).then(
      (reply) => {
        const message = reply.message as AssistantMessage;
        for (const call of reply.toolCalls) usedCallIds.add(call.id);
        if (purpose === "turn") Object.assign(latest, { text: reply.text, error: undefined });
        stream.push({ type: "start", partial: message });
        stream.push({
          type: "done",
          reason: message.stopReason === "toolUse" ? "toolUse" : message.stopReason === "length" ? "length" : "stop",
          message,
        });
        stream.end();
      },
      (error: unknown) => {
        const reason = options?.signal?.aborted ? "aborted" : "error";
        if (purpose === "turn") Object.assign(latest, { text: "", error: messageOf(error) });
        stream.push({ type: "error", reason, error: failedMessage(piModel, reason, messageOf(error)) });
        stream.end();
      },
    );
    return stream;
  };
}

function describeRequest(context: StreamArgs[1]): Pick<ModelRequest, "messages" | "bytes" | "results"> {
  const { messages } = context;
  const lastAnswer = messages.findLastIndex((message) => message.role === "assistant");
  const results = messages.slice(lastAnswer + 1).filter((message): message is ToolResultMessage => message.role === "toolResult");
  return {
    messages: messages.length,
    bytes: () => Buffer.byteLength(JSON.stringify(messages)),
    results: results.map((result) => ({ callId: result.toolCallId, isError: result.isError, text: textOf(result.content) })),
  };
}

/** One call to the provider, without any retry of its own. */
async function attemptOnce(
  provider: StreamFn,
  [model, context, options]: StreamArgs,
  how: ModelAttemptOptions,
  used: Set<string>,
): Promise<ModelAttempt> {
  const trace: HttpTrace = { status: undefined, retryAfterMs: undefined };
  let started = false;
  try {
    const stream = await provider(model, context, {
      ...options,
      maxTokens: how.maxTokens,
      maxRetries: 0,
      signal: how.signal,
      ...(acceptsFetch(model.api) ? { fetch: tracingFetch(trace) } : {}),
    });
    for await (const event of stream) {
      const delta = "delta" in event ? event.delta : "";
      started ||= delta !== "";
      how.onActivity(event.type === "text_delta" ? delta : "");
    }
    const message = await stream.result();
    if (message.stopReason !== "error" && message.stopReason !== "aborted") return { answered: true, answer: readAnswer(message, used) };
    const text = message.errorMessage ?? "the provider gave no reason";
    if (message.stopReason === "aborted" || how.signal.aborted)
      return { answered: false, failure: { kind: "aborted", started, message: text } };
    return { answered: false, failure: classifyFailure(text, started, trace) };
  } catch (error) {
    if (how.signal.aborted) return { answered: false, failure: { kind: "aborted", started, message: messageOf(error) } };
    return { answered: false, failure: classifyFailure(messageOf(error), started, trace) };
  }
}

/** These providers refuse an injected fetch; their failures are read from the error text. */
function acceptsFetch(api: string): boolean {
  return !api.startsWith("google") && !api.startsWith("bedrock");
}

function tracingFetch(trace: HttpTrace): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    trace.status = response.status;
    trace.retryAfterMs = readRetryAfter(response.headers, Date.now());
    return response;
  };
}

/** Reads an answer, and makes its tool call ids unique in the session: results are kept under them. */
function readAnswer(message: AssistantMessage, used: Set<string>): ModelAnswer {
  const seen = new Set(used);
  for (const part of message.content) {
    if (part.type !== "toolCall") continue;
    for (let n = 2, id = part.id; seen.has(part.id); n += 1) part.id = `${id}_${n}`;
    seen.add(part.id);
  }
  return answerOf(message);
}

/** The engine's view of one of Pi's messages, fresh or from the journal. */
export function answerOf(message: AssistantMessage): ModelAnswer {
  const { usage } = message;
  return {
    message,
    text: textOf(message.content),
    toolCalls: message.content.flatMap((part) =>
      part.type === "toolCall" ? [{ id: part.id, name: part.name, args: part.arguments }] : [],
    ),
    stopReason: message.stopReason === "toolUse" ? "tool_use" : message.stopReason === "length" ? "length" : "stop",
    usage: { input: usage.input, output: usage.output, cache_read: usage.cacheRead, cache_write: usage.cacheWrite, usd: usage.cost.total },
  };
}

function textOf(content: string | readonly { type: string; text?: string }[]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (part.type === "text" ? (part.text ?? "") : ""))
    .join("")
    .trim();
}

function failedMessage(model: StreamArgs[0], stopReason: "error" | "aborted", errorMessage: string): AssistantMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
    stopReason,
    errorMessage,
    timestamp: Date.now(),
  };
}
