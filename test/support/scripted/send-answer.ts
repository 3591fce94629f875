import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyChunks, closingChunks, type Fault, type ScriptedAnswer } from "./answer.ts";
import type { ChatRequest } from "./chat-request.ts";

type StreamFault = Exclude<Fault, { kind: "status" | "refused" }>;

/** `answered`: the whole answer was handed to a client that was still there. */
export type SendOutcome = "answered" | "faulted" | "aborted";

/** Sends an answer, or the fault it asks for. */
export async function sendAnswer(response: ServerResponse, request: ChatRequest, answer: ScriptedAnswer): Promise<SendOutcome> {
  const { fault } = answer;
  await pause(answer.delayMs, request.signal);
  if (request.signal.aborted) return "aborted";
  if (fault?.kind === "status") return sendStatus(response, fault);
  if (fault?.kind === "refused") return breakConnection(response);

  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  response.flushHeaders();
  const arrived = await sendBody(response, request, answer);
  if (!arrived) return "aborted";
  if (fault !== undefined) return sendBrokenEnd(response, request, fault);
  return sendGoodEnd(response, request, answer);
}

/** A JSON error in OpenAI's shape. */
export function sendError(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  const type = status === 429 ? "rate_limit_error" : status >= 500 ? "server_error" : "invalid_request_error";
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { message, type, code: null } }));
}

function sendStatus(response: ServerResponse, fault: Extract<Fault, { kind: "status" }>): SendOutcome {
  const headers = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
  sendError(response, fault.status, fault.message ?? `scripted HTTP ${fault.status}`, headers);
  return "faulted";
}

function breakConnection(response: ServerResponse): SendOutcome {
  response.destroy();
  return "faulted";
}

/** Sends the answer's pieces, up to where a fault strikes; false where the client left. */
async function sendBody(response: ServerResponse, request: ChatRequest, answer: ScriptedAnswer): Promise<boolean> {
  for (const chunk of bodyChunks(request, answer).slice(0, chunksBefore(answer.fault))) {
    if (!(await write(response, request, `data: ${JSON.stringify(chunk)}\n\n`))) return false;
    await pause(answer.chunkDelayMs, request.signal);
  }
  return !request.signal.aborted;
}

const STRIKES_AFTER = { cut: 3, hang: 0, nofinish: Infinity, badjson: Infinity, midstream: Infinity } as const;

function chunksBefore(fault: Fault | undefined): number {
  if (fault === undefined || fault.kind === "status" || fault.kind === "refused") return Infinity;
  return fault.afterChunks ?? STRIKES_AFTER[fault.kind];
}

async function sendBrokenEnd(response: ServerResponse, request: ChatRequest, fault: StreamFault): Promise<SendOutcome> {
  if (fault.kind === "cut") return breakConnection(response);
  if (fault.kind === "hang") await untilAborted(request.signal);
  await end(response, request, brokenEndOf(fault));
  return "faulted";
}

function brokenEndOf(fault: StreamFault): string {
  if (fault.kind === "badjson") return "data: {this is not json\n\n";
  if (fault.kind !== "midstream") return "";
  const error = { message: fault.message ?? "scripted error in mid-stream", type: "server_error", code: 502 };
  return `data: ${JSON.stringify({ error })}\n\n`;
}

async function sendGoodEnd(response: ServerResponse, request: ChatRequest, answer: ScriptedAnswer): Promise<SendOutcome> {
  for (const chunk of closingChunks(request, answer)) {
    if (!(await write(response, request, `data: ${JSON.stringify(chunk)}\n\n`))) return "aborted";
  }
  return (await end(response, request, "data: [DONE]\n\n")) ? "answered" : "aborted";
}

/** True when the system took the text; false when the client is gone. */
function write(response: ServerResponse, request: ChatRequest, text: string): Promise<boolean> {
  return untilDone(request.signal, (done) => response.write(text, (error) => done(error === null || error === undefined)));
}

function end(response: ServerResponse, request: ChatRequest, text: string): Promise<boolean> {
  return untilDone(request.signal, (done) => response.once("finish", () => done(true)).end(text));
}

function untilDone(signal: AbortSignal, start: (done: (ok: boolean) => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const gone = (): void => resolve(false);
    if (signal.aborted) return gone();
    signal.addEventListener("abort", gone, { once: true });
    start((ok) => {
      signal.removeEventListener("abort", gone);
      resolve(ok);
    });
  });
}

function untilAborted(signal: AbortSignal): Promise<boolean> {
  return untilDone(signal, () => undefined);
}

async function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (ms === undefined || ms <= 0) return;
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
