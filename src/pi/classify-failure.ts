import type { ModelFailure } from "../domain/model.ts";

/** What the HTTP layer saw of a model call. */
export interface HttpTrace {
  status: number | undefined;
  retryAfterMs: number | undefined;
}

/**
 * Reads a failed model call: the HTTP status where one was seen, else the text of the error, which begins with the
 * status in Pi's providers.
 */
export function classifyFailure(text: string, started: boolean, trace: HttpTrace): ModelFailure {
  const message = hideKeys(text);
  const failedStatus = trace.status !== undefined && trace.status >= 400 ? trace.status : statusIn(message);
  const status = started ? undefined : failedStatus;
  const failure = { status, retryAfterMs: trace.retryAfterMs, started, message };
  if (/context (window|length)|maximum context|too many tokens|prompt is too long|input is too long/i.test(message)) {
    return { ...failure, kind: "context_overflow" };
  }
  if (status === 401 || status === 403 || /no api key|invalid api key|incorrect api key|unauthorized/i.test(message)) {
    return { ...failure, kind: "refused" };
  }
  if (status === 429) return { ...failure, kind: /quota|billing|insufficient/i.test(message) ? "refused" : "rate_limited" };
  if (status !== undefined && status >= 500) return { ...failure, kind: "server_error" };
  if (status === 408 || status === 409) return { ...failure, kind: "server_error" };
  if (status !== undefined) return { ...failure, kind: "other" };
  if (isConnectionTrouble(message)) return { ...failure, kind: "cut" };
  return { ...failure, kind: started ? "cut" : "other" };
}

/** `Retry-After` and `retry-after-ms` headers, in milliseconds from `now`. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const seconds = Number.parseFloat(value);
  const delay = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined;
}

function statusIn(message: string): number | undefined {
  const match = /^\D{0,40}?\b([45]\d\d)\b/.exec(message);
  return match ? Number(match[1]) : undefined;
}

function isConnectionTrouble(message: string): boolean {
  return /econn|socket|terminated|fetch failed|connection|network|stream ended|premature|finish_reason|unexpected end|upstream/i.test(
    message,
  );
}

/** Some providers repeat the key they refused; what looks like one never reaches a journal or a screen. */
function hideKeys(text: string): string {
  return text
    .replace(/\b(sk|pk|rk|key|AIza|ghp|gho|xai|gsk)([-_]?)[A-Za-z0-9_*-]{12,}/g, "$1$2[hidden]")
    .replace(/\b(Bearer|api[_-]?key[:=])\s*[^\s"',]{8,}/gi, "$1 [hidden]");
}
