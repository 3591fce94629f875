import { HypoError } from "../../domain/errors.ts";

/** Rest where a provider refuses without saying for how long. */
const DEFAULT_REST_MS = 60_000;

/** A refusal that says when the provider may be asked again. */
export class RateLimited extends HypoError {
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs: number | undefined, advice?: string) {
    const hint = retryAfterMs === undefined ? "Try again later." : `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`;
    super("rate_limited", message, { hint: advice ?? hint });
    this.retryAfterMs = retryAfterMs;
  }
}

export function isExhausted(error: unknown): error is HypoError {
  return error instanceof HypoError && error.code === "rate_limited";
}

/** Providers that asked to be left alone, and until when. */
export class Rests {
  readonly #until = new Map<string, number>();

  add(provider: string, now: Date, error: HypoError): void {
    const ms = error instanceof RateLimited ? (error.retryAfterMs ?? DEFAULT_REST_MS) : DEFAULT_REST_MS;
    this.#until.set(provider, now.getTime() + ms);
  }

  /** Why a provider is not asked now; undefined where it may be. */
  find(provider: string, now: Date): string | undefined {
    const until = this.#until.get(provider) ?? 0;
    return until <= now.getTime() ? undefined : `It asked to be left alone until ${new Date(until).toISOString()}.`;
  }
}
