import type { ChatRequest } from "./chat-request.ts";

interface ScriptedCall {
  name: string;
  /** An object, or raw text that is sent as it is (for arguments that are not JSON). */
  args: unknown;
  /** Derived from the number of answers so far where it is not given. */
  id?: string;
}

/** Token counts of one answer; `input` is without what was read from the cache. */
interface ScriptedUsage {
  input: number;
  output: number;
  cacheRead?: number;
}

/** What goes wrong while a question is answered. `afterChunks` counts pieces of the answer sent before it. */
export type Fault =
  /** An HTTP error; `retryAfter` is the header's text, in seconds or as a date. */
  | { kind: "status"; status: number; message?: string; retryAfter?: string | number }
  /** The connection is closed before any byte of a response. */
  | { kind: "refused" }
  /** The connection breaks in mid-stream, by default after 3 pieces. */
  | { kind: "cut"; afterChunks?: number }
  /** Nothing more comes until the client goes away, by default right after the headers. */
  | { kind: "hang"; afterChunks?: number }
  /** The stream ends properly, but without a finish reason and `[DONE]`. */
  | { kind: "nofinish"; afterChunks?: number }
  /** A line of the stream is not JSON. */
  | { kind: "badjson"; afterChunks?: number }
  /** The stream carries an error object instead of its end. */
  | { kind: "midstream"; afterChunks?: number; message?: string };

/** What the scripted model says. An empty answer is an answer without text. */
export interface ScriptedAnswer {
  text?: string;
  thinking?: string;
  toolCalls?: ScriptedCall[];
  /** Estimated at four bytes a token where it is not given; null sends none. */
  usage?: ScriptedUsage | null;
  /** `tool_calls` or `stop` where it is not given. */
  finishReason?: "stop" | "length" | "tool_calls" | "content_filter";
  /** Milliseconds before the first byte. */
  delayMs?: number;
  /** Milliseconds after each piece. */
  chunkDelayMs?: number;
  /** Characters in a piece, 24 by default. */
  chunkSize?: number;
  fault?: Fault;
}

export type Respond = (request: ChatRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** One `data:` object of the stream. */
export type Chunk = Record<string, unknown>;

/** The pieces that carry the answer itself. */
export function bodyChunks(request: ChatRequest, answer: ScriptedAnswer): Chunk[] {
  const size = answer.chunkSize ?? 24;
  const deltas: Chunk[] = [{ role: "assistant", content: "" }];
  for (const piece of piecesOf(answer.thinking ?? "", size)) deltas.push({ reasoning_content: piece });
  for (const piece of piecesOf(answer.text ?? "", size)) deltas.push({ content: piece });
  for (const [index, call] of (answer.toolCalls ?? []).entries()) {
    const id = call.id ?? `call_${request.assistantMessages}_${index}`;
    deltas.push({ tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: "" } }] });
    for (const piece of piecesOf(argumentsText(call), size)) deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  return deltas.map((delta) => chunkOf(request, [{ index: 0, delta, finish_reason: null }]));
}

/** The pieces that say the answer is complete: finish reason and, where it was asked for, usage. */
export function closingChunks(request: ChatRequest, answer: ScriptedAnswer): Chunk[] {
  const finish = answer.finishReason ?? ((answer.toolCalls ?? []).length > 0 ? "tool_calls" : "stop");
  const closing = [chunkOf(request, [{ index: 0, delta: {}, finish_reason: finish }])];
  if (request.includeUsage && answer.usage !== null) closing.push({ ...chunkOf(request, []), usage: usageOf(request, answer) });
  return closing;
}

function chunkOf(request: ChatRequest, choices: unknown[]): Chunk {
  return { id: `chatcmpl-${request.index}`, object: "chat.completion.chunk", created: 0, model: request.model, choices };
}

/** OpenAI's counting: prompt tokens include those read from the cache. */
function usageOf(request: ChatRequest, answer: ScriptedAnswer): Chunk {
  const said =
    (answer.text ?? "") + (answer.thinking ?? "") + (answer.toolCalls ?? []).map((call) => call.name + argumentsText(call)).join("");
  const { input, output, cacheRead = 0 } = answer.usage ?? { input: tokensIn(request.bytes), output: tokensIn(Buffer.byteLength(said)) };
  return {
    prompt_tokens: input + cacheRead,
    completion_tokens: output,
    total_tokens: input + cacheRead + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  };
}

function tokensIn(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 4));
}

function argumentsText(call: ScriptedCall): string {
  return typeof call.args === "string" ? call.args : JSON.stringify(call.args);
}

function piecesOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
}
