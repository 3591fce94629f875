import { z } from "zod";
import { HypoError } from "../../domain/errors.ts";
import type { Clock } from "../../domain/ports.ts";
import { findStatusError } from "../http-errors.ts";
import type { OperatorClient } from "../operator-client.ts";
import type { FetchedPage } from "./page-source.ts";

const Answer = z.object({
  /** Where the browser ended. */
  url: z.string().optional(),
  /** HTTP status of the last page. */
  status: z.int().default(200),
  html: z.string().optional(),
  markdown: z.string().optional(),
});
const Failure = z.object({ error: z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]) });

/**
 * Lets the operator's browser carry out a task on a page: `POST /browse {url, task}` gives `{url, status, html}` or
 * `{url, status, markdown}`; failures give another status with `{error}`.
 */
export async function browsePage(
  client: OperatorClient,
  clock: Clock,
  url: string,
  task: string,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { status, body } = await client.send({ path: "/browse", signal, json: { url, task } });
  const answer = parseJson(Buffer.from(body).toString("utf8"));
  const parsed = Answer.safeParse(answer);
  if (status !== 200 || !parsed.success) throw failed(status, Failure.safeParse(answer).data?.error);
  const problem = findStatusError(url, parsed.data.status, undefined);
  if (problem !== undefined) throw problem;
  const { html, markdown } = parsed.data;
  const content = html ?? markdown;
  if (content === undefined || content.trim() === "") throw failed(status, "neither html nor markdown in the answer");
  const kind = html === undefined ? "text" : "html";
  const final = parsed.data.url;
  return {
    bytes: Buffer.from(content, "utf8"),
    mime: `${html === undefined ? "text/markdown" : "text/html"};charset=utf-8`,
    kind,
    retrieval: {
      url,
      final_url: final !== undefined && URL.canParse(final) ? final : url,
      retrieved_at: clock.now().toISOString(),
      status: parsed.data.status,
      backend: "browser",
    },
  };
}

function failed(status: number, said: string | undefined): HypoError {
  return new HypoError("http_error", `The browser adapter failed (HTTP ${status}): ${said ?? "no readable answer"}.`, {
    hint: "Look at the server at read.browser_url, or read the page without interaction.",
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
