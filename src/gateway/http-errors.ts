import { HypoError, messageOf, systemCodeOf } from "../domain/errors.ts";

/** Any failure of a request as an error to act on; errors that are typed already pass unchanged. */
export function typedNetworkError(subject: string, error: unknown): HypoError {
  const typed = findTyped(error);
  if (typed !== undefined) return typed;
  const code = systemCodeOf(error) ?? "";
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    return new HypoError("too_large", `${subject} sent more headers than are read.`, { cause: error });
  }
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") {
    return new HypoError("timeout", `${subject} did not accept a connection in time.`, { hint: "Try again later.", cause: error });
  }
  if (/^(ERR_TLS_|CERT_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/.test(code)) {
    return new HypoError("tls_error", `${subject} has no valid TLS certificate (${code}).`, {
      hint: "TLS is always checked. Read another source, or have the server's certificate mended.",
      cause: error,
    });
  }
  return new HypoError("network_error", `${subject} could not be read (${code === "" ? messageOf(error) : code}).`, {
    hint: "Check the network and the URL, then try again.",
    cause: error,
  });
}

/** The error of an HTTP status; undefined for 2xx. `retryAfterMs` is what the server asked for. */
export function findStatusError(subject: string, status: number, retryAfterMs: number | undefined): HypoError | undefined {
  if (status >= 200 && status < 300) return undefined;
  const wait = retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1000)} s`;
  if (status === 404 || status === 410) {
    return new HypoError("not_found", `${subject} does not exist (HTTP ${status}).`, { hint: "Search for another address of it." });
  }
  if (status === 429) {
    return new HypoError("rate_limited", `${subject} is asked too often (HTTP 429).`, { hint: `Try again ${wait}.` });
  }
  if (status === 401 || status === 403 || status === 451) {
    return new HypoError("http_error", `${subject} refuses to be read (HTTP ${status}).`, { hint: "Read another source." });
  }
  const hint = status >= 500 ? `The server has a problem: try again ${wait}.` : "Read another source.";
  return new HypoError("http_error", `${subject} answered HTTP ${status}.`, { hint });
}

/** Longest wait that a header can ask for: numbers without end are no times. */
export const LONGEST_WAIT_MS = 86_400_000;

/** Milliseconds, a day at most, that a Retry-After header (seconds or a date) asks to wait; undefined where it is neither. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Math.min(Number(header) * 1000, LONGEST_WAIT_MS);
  // Dates have names of months; a parser of dates makes one of nearly any number, too.
  const at = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now.getTime()), LONGEST_WAIT_MS);
}

function findTyped(error: unknown): HypoError | undefined {
  if (error instanceof HypoError) return error;
  return error instanceof Error && error.cause !== undefined ? findTyped(error.cause) : undefined;
}
