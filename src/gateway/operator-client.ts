import type { Agent } from "undici";
import { HypoError } from "../domain/errors.ts";
import { exchange, isRedirect, MAX_HEADER_BYTES, withDeadline, type ExchangeLimits, type ExchangeResponse } from "./exchange.ts";

interface OperatorRequest {
  /** Path and query under the configured URL, such as `/search?q=x`. */
  path: string;
  signal: AbortSignal;
  headers?: Record<string, string>;
  method?: "DELETE";
  /** Sent as JSON by POST; without one the request is a GET. */
  json?: unknown;
}

/** HTTP for a service of the operator's own, usually on localhost: one origin, no redirects. */
export interface OperatorClient {
  send(request: OperatorRequest): Promise<ExchangeResponse>;
  close(): Promise<void>;
}

/** `base` is the configured URL; its path, if any, comes before every request's. `setting` names it in errors. */
export function createOperatorClient(base: string, setting: string, limits: ExchangeLimits): OperatorClient {
  const root = new URL(base);
  let agent: Promise<Agent> | undefined;

  async function openAgent(): Promise<Agent> {
    const undici = await import("undici");
    return new undici.Agent({ maxHeaderSize: MAX_HEADER_BYTES, connect: { timeout: limits.firstByteMs, rejectUnauthorized: true } });
  }

  return {
    async send({ path, signal, headers = {}, method, json }) {
      const url = new URL(`${root.pathname.replace(/\/$/, "")}${path}`, root);
      if (url.origin !== root.origin) throw new HypoError("refused", `${url.href} is not under ${setting} (${root.origin}).`);
      const body = json === undefined ? undefined : JSON.stringify(json);
      const request = {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        body,
      } as const;
      const response = await withDeadline(`${setting} (${root.origin})`, limits, signal, async (deadline) =>
        exchange(await (agent ??= openAgent()), url, request, limits, deadline),
      );
      if (isRedirect(response.status)) throw redirected(setting, base, response);
      return response;
    },
    async close() {
      await (await agent)?.destroy();
      agent = undefined;
    },
  };
}

function redirected(setting: string, base: string, { status, headers }: ExchangeResponse): HypoError {
  return new HypoError("http_error", `${setting} (${base}) redirects (HTTP ${status}) to ${headers["location"] ?? "nowhere"}.`, {
    hint: `Redirects of your own servers are not followed: set ${setting} to the final address.`,
  });
}
