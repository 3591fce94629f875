import type { IncomingHttpHeaders } from "node:http";

export interface ToolCall {
  id: string;
  name: string;
  /** Parsed arguments, or the raw text where it is not JSON. */
  args: unknown;
}

export interface ChatMessage {
  role: string;
  text: string;
  toolCalls: ToolCall[];
  /** The call that a tool message answers. */
  toolCallId: string | undefined;
}

interface OfferedTool {
  name: string;
  description: string;
  parameters: unknown;
}

/** One chat-completions request, as a script sees it. */
export interface ChatRequest {
  /** Its place among all requests of this server, from 0. */
  index: number;
  /** The `x-session-affinity` header: the Pi session id, which is the agent id with the run before it. */
  session: string | undefined;
  /** From the line `Agent: <name> (<id>)` in the first user message, or else in the system prompt. */
  agent: { name: string; id: string } | undefined;
  /** How often this server was asked the same question (session and answers so far) before. */
  attempt: number;
  model: string;
  system: string;
  /** The conversation without system messages. */
  messages: ChatMessage[];
  tools: OfferedTool[];
  /** Assistant messages in the conversation so far. */
  assistantMessages: number;
  /** Results that came after the last assistant message, in order. */
  lastToolResults: { id: string; text: string }[];
  maxTokens: number | undefined;
  includeUsage: boolean;
  /** Size of the request's body. */
  bytes: number;
  headers: IncomingHttpHeaders;
  /** Aborted when the client goes away before the answer is complete. */
  signal: AbortSignal;
}

interface WireMessage {
  role: string;
  content?: string | { text?: string }[] | null;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

interface WireRequest {
  model: string;
  stream?: boolean;
  messages: WireMessage[];
  tools?: { function: { name: string; description?: string; parameters?: unknown } }[];
  max_tokens?: number;
  max_completion_tokens?: number;
  stream_options?: { include_usage?: boolean };
}

/**
 * Reads the body of a chat-completions request; its place among the others is left to the caller.
 *
 * @throws Error where the body is not a streaming chat request.
 */
export function parseChatRequest(body: string, headers: IncomingHttpHeaders, signal: AbortSignal): Omit<ChatRequest, "index" | "attempt"> {
  const wire = JSON.parse(body) as WireRequest;
  if (!Array.isArray(wire.messages)) throw new Error("the request has no `messages`");
  if (wire.stream !== true) throw new Error("only streaming requests are answered");
  const all = wire.messages.map(readMessage);
  const system = all
    .filter(isSystem)
    .map((message) => message.text)
    .join("\n");
  const messages = all.filter((message) => !isSystem(message));
  return {
    session: headerOf(headers, "x-session-affinity"),
    agent: agentNamedIn(messages.find((message) => message.role === "user")?.text ?? "") ?? agentNamedIn(system),
    model: wire.model,
    system,
    messages,
    tools: (wire.tools ?? []).map(readTool),
    assistantMessages: messages.filter((message) => message.role === "assistant").length,
    lastToolResults: resultsAfterLastAnswer(messages),
    maxTokens: wire.max_completion_tokens ?? wire.max_tokens,
    includeUsage: wire.stream_options?.include_usage === true,
    bytes: Buffer.byteLength(body),
    headers,
    signal,
  };
}

function readMessage(wire: WireMessage): ChatMessage {
  const { content } = wire;
  return {
    role: wire.role,
    text: typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join(""),
    toolCalls: (wire.tool_calls ?? []).map((call) => ({
      id: call.id,
      name: call.function.name,
      args: readArguments(call.function.arguments),
    })),
    toolCallId: wire.tool_call_id,
  };
}

function readArguments(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function readTool(wire: { function: { name: string; description?: string; parameters?: unknown } }): OfferedTool {
  const { name, description = "", parameters } = wire.function;
  return { name, description, parameters };
}

function isSystem(message: ChatMessage): boolean {
  return message.role === "system" || message.role === "developer";
}

function agentNamedIn(text: string): { name: string; id: string } | undefined {
  const [, name, id] = /^Agent: (.+) \(([^()\s]+)\)\s*$/m.exec(text) ?? [];
  return name === undefined || id === undefined ? undefined : { name, id };
}

function resultsAfterLastAnswer(messages: ChatMessage[]): { id: string; text: string }[] {
  const lastAnswer = messages.findLastIndex((message) => message.role === "assistant");
  return messages.slice(lastAnswer + 1).flatMap(({ toolCallId, text }) => (toolCallId === undefined ? [] : [{ id: toolCallId, text }]));
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
