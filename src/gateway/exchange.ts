import type { Dispatcher } from "undici";
import { HypoError } from "../domain/errors.ts";
import { cancelled, Deadline } from "./deadline.ts";
import { typedNetworkError } from "./http-errors.ts";
import { ACCEPT_ENCODING, collectBytes, decodeBody, tooLarge } from "./response-body.ts";

/** Bounds of one request; times in milliseconds. */
export interface ExchangeLimits {
  /** Largest body, over the wire and after every layer of decompression. */
  maxBytes: number;
  firstByteMs: number;
  totalMs: number;
  idleMs: number;
}

export interface ExchangeRequest {
  method: "GET" | "POST" | "DELETE";
  headers: Record<string, string>;
  body?: string | undefined;
}

/** A response with its whole, decoded body. Header names are lower-case; repeated headers are joined with commas. */
export interface ExchangeResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Most bytes of headers that are read. */
export const MAX_HEADER_BYTES = 32_768;

/** Time limits of a chain of requests: one deadline for all of them. */
export async function withDeadline<T>(
  subject: string,
  limits: ExchangeLimits,
  caller: AbortSignal,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(subject, limits.totalMs, caller);
  try {
    return await work(deadline);
  } catch (error) {
    if (caller.aborted) throw cancelled(subject, caller);
    const expired = deadline.signal.aborted && !(error instanceof HypoError);
    throw typedNetworkError(subject, expired ? deadline.signal.reason : error);
  } finally {
    deadline.clear();
  }
}

/** One request over the given dispatcher; the body of a redirect is not read. */
export async function exchange(
  dispatcher: Dispatcher,
  url: URL,
  request: ExchangeRequest,
  limits: ExchangeLimits,
  deadline: Deadline,
): Promise<ExchangeResponse> {
  deadline.start(limits.firstByteMs, "did not answer");
  const response = await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers: { "accept-encoding": ACCEPT_ENCODING, ...request.headers },
    body: request.body ?? null,
    signal: deadline.signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const headers = flattenHeaders(response.headers);
  const status = response.statusCode;
  try {
    if (isRedirect(status)) return { status, headers, body: new Uint8Array() };
    if (Number(headers["content-length"] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
    const awaitNext = (): void => deadline.start(limits.idleMs, "sent nothing more");
    awaitNext();
    const encoded = await collectBytes(response.body, limits.maxBytes, awaitNext);
    deadline.endPhase();
    return { status, headers, body: await decodeBody(encoded, headers["content-encoding"] ?? "", limits.maxBytes) };
  } finally {
    if (!response.body.readableEnded) response.body.on("error", () => undefined).destroy();
  }
}

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}
