import { HypoError, messageOf } from "../domain/errors.ts";
import { writeErr, writeJson, type Io } from "./io.ts";
import { plainBlock } from "./output/plain-text.ts";

/**
 * The one place where anything thrown becomes output: two lines on stderr, or with `json` an object on stdout. A
 * stack appears with `debug` only.
 *
 * @returns the exit code.
 */
export function reportFailure(
  error: unknown,
  options: { json: boolean; debug: boolean },
  io: Pick<Io, "stdout" | "stderr" | "announce">,
): number {
  const failure = asHypoError(error);
  const { code, message, hint } = failure;
  io.announce?.({ failure: { code, message, hint: hint ?? null } });
  if (options.json) writeJson(io, { error: { code, message, hint: hint ?? null } });
  else {
    writeErr(io, `hypo: ${plainBlock(message)}`);
    if (hint !== undefined) writeErr(io, `      ${plainBlock(hint)}`);
  }
  if (options.debug) writeErr(io, plainBlock(stackOf(error)));
  return failure.exitCode;
}

/** What was thrown where it is one that a person can act on; else one that says what it is. */
export function asHypoError(error: unknown): HypoError {
  if (error instanceof HypoError) return error;
  return new HypoError("internal", messageOf(error) || "Something failed without saying what.", {
    hint: "This is a defect of hypo. Run the command again with --debug and report what it prints.",
    cause: error,
  });
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by: ${stackOf(error.cause)}`;
}
