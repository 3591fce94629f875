import { access } from "node:fs/promises";
import type { surveyConfig } from "../config/load.ts";
import { describeIgnored } from "../config/project-allowlist.ts";
import { failureOf, type Check, type Finding } from "./check.ts";

/** Files, variables and trust. */
export function checkConfig({ paths, problems, ignored }: Awaited<ReturnType<typeof surveyConfig>>): Check {
  return {
    name: "configuration",
    async examine() {
      const findings: Finding[] = problems.map(failureOf);
      if (ignored.length > 0) {
        findings.push({
          status: "warn",
          detail: describeIgnored(paths.project ?? "", ignored),
          fix: "Read the file, then `hypo trust`, or take out what you do not want.",
        });
      }
      if (findings.length > 0) return findings;
      const there = await Promise.all([paths.project, paths.user].map(isThere));
      const files = [paths.project, paths.user].filter((_path, at) => there[at]);
      return { status: "ok", detail: files.length === 0 ? "no file; defaults and HYPO_* variables" : files.join(", ") };
    },
  };
}

async function isThere(path: string | undefined): Promise<boolean> {
  if (path === undefined) return false;
  return access(path).then(
    () => true,
    () => false,
  );
}
