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
  if (status === 404 || status === 410) {
    return new HypoError("not_found", `${subject} does not exist (HTTP ${status}).`, { hint: "Search for another address of it." });
  }
  if (status === 429) {
    const wait = retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1000)} s`;
    return new HypoError("rate_limited", `${subject} is asked too often (HTTP 429).`, { hint: `Try again ${wait}.` });
  }
  if (status === 401 || status === 403 || status === 451) {
    return new HypoError("http_error", `${subject} refuses to be read (HTTP ${status}).`, { hint: "Read another source." });
  }
  const hint = status >= 500 ? "The server has a problem: try again later." : "Read another source.";
  return new HypoError("http_error", `${subject} answered HTTP ${status}.`, { hint });
}

/** Milliseconds that a Retry-After header (seconds or a date) asks to wait. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

function findTyped(error: unknown): HypoError | undefined {
  if (error instanceof HypoError) return error;
  return error instanceof Error && error.cause !== undefined ? findTyped(error.cause) : undefined;
}
