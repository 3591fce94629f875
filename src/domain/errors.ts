/**
 * Errors that a person or a model can act on. One table maps every code to an exit code.
 */

/** Exit codes of the command line (`hypo help exit-codes`). */
export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  noAnswer: 3,
  credentials: 4,
  waiting: 8,
  interrupted: 130,
  terminated: 143,
} as const;

const EXIT_CODES = {
  usage: ExitCode.usage,
  config_invalid: ExitCode.usage,
  agent_dir_invalid: ExitCode.usage,
  batch_invalid: ExitCode.usage,
  model_unknown: ExitCode.usage,
  run_unknown: ExitCode.usage,
  run_ambiguous: ExitCode.usage,
  not_found: ExitCode.usage,
  credentials_missing: ExitCode.credentials,
  credentials_refused: ExitCode.credentials,
  model_unavailable: ExitCode.failed,
  run_locked: ExitCode.failed,
  run_damaged: ExitCode.failed,
  journal_conflict: ExitCode.failed,
  replay_diverged: ExitCode.failed,
  storage_failed: ExitCode.failed,
  refused: ExitCode.failed,
  internal: ExitCode.failed,
  // Gateway: what a read or search can end with.
  blocked_address: ExitCode.failed,
  bad_url: ExitCode.failed,
  too_large: ExitCode.failed,
  timeout: ExitCode.failed,
  unsupported_type: ExitCode.failed,
  no_text: ExitCode.failed,
  tls_error: ExitCode.failed,
  network_error: ExitCode.failed,
  robots_disallowed: ExitCode.failed,
  rate_limited: ExitCode.failed,
  http_error: ExitCode.failed,
  too_many_redirects: ExitCode.failed,
  not_configured: ExitCode.failed,
  path_refused: ExitCode.failed,
  // Sandbox.
  docker_unavailable: ExitCode.noAnswer,
  image_unavailable: ExitCode.noAnswer,
  plan_invalid: ExitCode.usage,
  replay_impossible: ExitCode.noAnswer,
  // Memory.
  note_broken: ExitCode.failed,
} as const;

export type ErrorCode = keyof typeof EXIT_CODES;

export interface HypoErrorOptions {
  /** What to do next: a command, a setting, or another way to the goal. */
  hint?: string | undefined;
  cause?: unknown;
}

/** An error with a stable code, a message that says what is wrong, and a hint that says what to do. */
export class HypoError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: HypoErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "HypoError";
    this.code = code;
    this.hint = options.hint;
  }

  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}

/** The message of anything thrown, for people; never a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a Node.js system error (`ENOENT`, `ENOSPC`...), if it has one. */
export function systemCodeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
