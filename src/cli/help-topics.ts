import { ExitCode, HypoError, type ErrorCode } from "../domain/errors.ts";
import { ERROR_GUIDE } from "./error-guide.ts";

/** What each exit code means; `hypo help exit-codes` and the documentation are made from it. */
export const EXIT_CODE_GUIDE: readonly (readonly [code: number, meaning: string])[] = [
  [ExitCode.ok, "done; a run ended with an answer, or with a report of what is known"],
  [ExitCode.failed, "failed"],
  [ExitCode.usage, "usage or configuration: the command line, a setting or a name is wrong"],
  [ExitCode.noAnswer, "ended without an answer: budget, limit, or something needed is not there"],
  [ExitCode.credentials, "credentials are missing or were refused"],
  [ExitCode.waiting, "the run waits for a person"],
  [ExitCode.interrupted, "interrupted (Ctrl-C); the run can be resumed"],
  [ExitCode.terminated, "terminated (SIGTERM); the run can be resumed"],
];

export const TOPICS = ["exit-codes", "errors"] as const;

/** The text of a help topic, if there is one of this name. */
export function topicText(name: string): string | undefined {
  if (name === "exit-codes") {
    return `Exit codes:\n${EXIT_CODE_GUIDE.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`).join("\n")}\n`;
  }
  if (name === "errors") {
    const rows = errorRows().map(({ code, exit, meaning }) => `  ${code.padEnd(20)} ${String(exit).padStart(4)}  ${meaning}`);
    return `Error codes (the "code" of --json errors), with their exit code:\n${rows.join("\n")}\n`;
  }
  return undefined;
}

/** Every error code with its exit code and meaning. */
export function errorRows(): { code: ErrorCode; exit: number; meaning: string }[] {
  return (Object.keys(ERROR_GUIDE) as ErrorCode[]).map((code) => ({
    code,
    exit: new HypoError(code, "").exitCode,
    meaning: ERROR_GUIDE[code],
  }));
}
