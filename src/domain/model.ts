import { z } from "zod";

/** Pi's thinking levels. */
export const ThinkingLevel = z.enum(["off", "minimal", "low", "medium", "high", "xhigh", "max"]);
export type ThinkingLevel = z.infer<typeof ThinkingLevel>;

/** Prices in US dollars per million tokens. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** A model that was looked up exactly and has credentials. */
export interface ResolvedModel {
  /** `provider/id`. */
  ref: string;
  provider: string;
  id: string;
  contextWindow: number;
  maxTokens: number;
  /** Undefined where the price is not known; all zero only where the person's models.json says so. */
  price: ModelPrice | undefined;
}

export const Usage = z.object({
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
  usd: z.number(),
});
export type Usage = z.infer<typeof Usage>;

/** One model answer as the engine sees it; `message` is Pi's own message, kept whole and opaque. */
export interface ModelAnswer {
  message: unknown;
  text: string;
  toolCalls: { id: string; name: string; args: unknown }[];
  stopReason: "stop" | "length" | "tool_use";
  usage: Usage;
}

/** Why a model call failed, as far as the provider said. */
export interface ModelFailure {
  kind: "refused" | "rate_limited" | "server_error" | "cut" | "silent" | "aborted" | "context_overflow" | "other";
  /** HTTP status, where there was one. */
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  /** True when part of an answer had arrived, so that tokens may have been billed. */
  started: boolean;
  message: string;
}

/** What is known of a request before it is made. */
export interface ModelRequest {
  purpose: "turn" | "summary";
  model: ResolvedModel;
  /** Messages in the context. */
  messages: number;
  /** UTF-8 size of the whole request: no tokenizer makes more tokens of it than it has bytes. */
  bytes(): number;
  /** Results of the tool calls of the previous answer, in order. */
  results: { callId: string; isError: boolean; text: string }[];
  signal: AbortSignal | undefined;
}

export interface ModelAttemptOptions {
  maxTokens: number;
  signal: AbortSignal;
  /** Called for everything that arrives, with new text where there is some. */
  onActivity(delta: string): void;
}

export type ModelAttempt = { answered: true; answer: ModelAnswer } | { answered: false; failure: ModelFailure };

/**
 * The engine's hand on every model call of a session: it may return a recorded answer without calling `attempt`,
 * call it once or several times, or throw to end the session's turn.
 */
export type AnswerModel = (request: ModelRequest, attempt: (options: ModelAttemptOptions) => Promise<ModelAttempt>) => Promise<ModelAnswer>;
