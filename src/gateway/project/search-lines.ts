import { runInNewContext } from "node:vm";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";

/** Longest part of a line that is searched and shown. */
const MAX_LINE = 2_000;
const MAX_PATTERN = 500;

/** Finds the lines that match; a line is cut after 2,000 characters. */
export type FindLines = (text: string, timeoutMs: number) => { line: number; text: string }[];

/**
 * Compiles a pattern of an agent (a JavaScript regular expression). The search runs in a context of its own with a
 * time limit, since a pattern that backtracks without end would otherwise hold up everything.
 *
 * @throws HypoError `usage` for a broken pattern, and later `timeout` for one that takes too long.
 */
export function compilePattern(pattern: string, ignoreCase: boolean): FindLines {
  if (pattern === "" || pattern.length > MAX_PATTERN) throw new HypoError("usage", `A pattern has 1 to ${MAX_PATTERN} characters.`, {});
  const flags = ignoreCase ? "iu" : "u";
  const chosen = [flags, flags.replace("u", "")].find((candidate) => isValid(pattern, candidate));
  if (chosen === undefined) throw brokenPattern(pattern);
  return (text, timeoutMs) => {
    const lines = text.split(/\r?\n/).map((line) => line.slice(0, MAX_LINE));
    const matching = findMatching(lines, pattern, chosen, timeoutMs);
    return matching.map((index) => ({ line: index + 1, text: lines[index] ?? "" }));
  };
}

function findMatching(lines: string[], pattern: string, flags: string, timeoutMs: number): number[] {
  const script = "const r = new RegExp(pattern, flags); lines.flatMap((line, index) => (r.test(line) ? [index] : []))";
  try {
    return [...(runInNewContext(script, { lines, pattern, flags }, { timeout: Math.max(1, Math.ceil(timeoutMs)) }) as number[])];
  } catch (error) {
    if (systemCodeOf(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new HypoError("timeout", `The pattern ${JSON.stringify(pattern)} takes too long.`, {
      hint: "Use a simpler pattern without nested repetitions, or search a smaller folder.",
      cause: error,
    });
  }
}

function isValid(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

function brokenPattern(pattern: string): HypoError {
  try {
    new RegExp(pattern).test("");
  } catch (error) {
    return new HypoError("usage", `${messageOf(error)}.`, {
      hint: "Give a JavaScript regular expression; escape ( ) [ ] { } . * + ? to search for them.",
    });
  }
  return new HypoError("usage", `The pattern ${JSON.stringify(pattern)} is broken.`);
}
