import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenOnLoopback } from "./loopback.ts";
import type { Respond } from "./scripted/answer.ts";
import { parseChatRequest } from "./scripted/chat-request.ts";
import { QuestionLog, type Question, type RequestRecord } from "./scripted/question-log.ts";
import { sendAnswer, sendError } from "./scripted/send-answer.ts";

export interface ScriptedModel {
  /** The base URL for models.json, as `http://127.0.0.1:40123/v1`. */
  url: string;
  /** Every request so far, in order of arrival. */
  requests: readonly RequestRecord[];
  /** Most requests that were open at once. */
  readonly maxActive: number;
  /** What scripts threw; each was answered with HTTP 400, which nobody retries. */
  scriptErrors: readonly string[];
  /** Requests for what had already been answered to its last byte. */
  repeatedQuestions: () => RequestRecord[];
  /** Requests from place `since` on for questions whose answers were on record (in a journal) by then. */
  askedAgain: (recorded: Question[], since: number) => RequestRecord[];
  close: () => Promise<void>;
}

/** Starts an OpenAI-compatible chat server on loopback whose answers a function gives. */
export async function startScriptedModel(respond: Respond): Promise<ScriptedModel> {
  const log = new QuestionLog();
  const scriptErrors: string[] = [];
  const server = createServer((incoming, response) => void handle(incoming, response, { respond, log, scriptErrors }));
  const address = await listenOnLoopback(server);
  return {
    url: `${address.origin}/v1`,
    requests: log.records,
    get maxActive() {
      return log.maxActive;
    },
    scriptErrors,
    repeatedQuestions: () => log.repeatedQuestions(),
    askedAgain: (recorded, since) => log.askedAgain(recorded, since),
    close: () => address.close(),
  };
}

interface Service {
  respond: Respond;
  log: QuestionLog;
  scriptErrors: string[];
}

async function handle(incoming: IncomingMessage, response: ServerResponse, service: Service): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  if (incoming.method !== "POST" || incoming.url !== "/v1/chat/completions") {
    return sendError(response, 404, `no route ${incoming.method} ${incoming.url}`);
  }
  const record = await readRequest(incoming, gone.signal, service.log).catch((error: unknown) => {
    sendError(response, 400, `bad request: ${String(error)}`);
  });
  if (record === undefined) return;
  await answer(response, record, service);
  service.log.leave(record);
}

async function readRequest(incoming: IncomingMessage, signal: AbortSignal, log: QuestionLog): Promise<RequestRecord> {
  return log.enter(parseChatRequest(await text(incoming), incoming.headers, signal));
}

async function answer(response: ServerResponse, record: RequestRecord, { respond, scriptErrors }: Service): Promise<void> {
  try {
    record.answer = await respond(record.request);
    record.outcome = await sendAnswer(response, record.request, record.answer);
  } catch (error) {
    record.outcome = "broken";
    scriptErrors.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    if (!response.headersSent) sendError(response, 400, `the script of this test threw: ${String(error)}`);
    else response.destroy();
  }
}
