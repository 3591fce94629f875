import { HypoError, messageOf } from "../../domain/errors.ts";

/** What a check found: all right, something to know, or something that must be mended before hypo can do its work. */
export interface Finding {
  status: "ok" | "warn" | "fail";
  /** One line. */
  detail: string;
  /** What to do about it; undefined only where all is well. */
  fix?: string | undefined;
}

export interface Check {
  name: string;
  /** What it throws counts as a fail. */
  examine(signal: AbortSignal): Promise<Finding | Finding[]>;
}

export type CheckResult = Finding & { name: string };

/**
 * Makes all checks at once. Whatever one does, the others go on: one that throws or takes too long is a fail.
 *
 * @param limitMs longest time of one check
 * @returns the findings in the order of the checks
 */
export async function runChecks(checks: readonly Check[], limitMs: number): Promise<CheckResult[]> {
  const found = await Promise.all(checks.map((check) => examineWithin(check, limitMs)));
  return checks.flatMap(({ name }, at) => [found[at] ?? []].flat().map(({ status, detail, fix }) => ({ name, status, detail, fix })));
}

async function examineWithin(check: Check, limitMs: number): Promise<Finding | Finding[]> {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => {
      ending.abort();
      resolve({
        status: "fail",
        detail: `no answer within ${limitMs / 1000} s`,
        fix: "Run `hypo doctor` again; if it stays so, look at what this line asks.",
      });
    }, limitMs);
  });
  try {
    return await Promise.race([check.examine(ending.signal).catch(failureOf), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** An error as a finding. */
export function failureOf(error: unknown): Finding {
  return {
    status: "fail",
    detail: messageOf(error),
    fix: error instanceof HypoError ? error.hint : "This is a defect of hypo: please report it.",
  };
}
