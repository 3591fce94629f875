import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { fileURLToPath } from "node:url";

/** What the figures were taken on. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  /** Mean number of waiting processes in the last minute, before the first row. */
  load: number;
}

const ROOT = new URL("../../", import.meta.url);

export function describeMachine(): Machine {
  const [first] = cpus();
  return {
    processor: first?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    load: Number((loadavg()[0] ?? NaN).toFixed(2)),
  };
}

/** Versions of hypo, of what it runs on and of what it is compared with. */
export function describeVersions(): Record<string, string> {
  const { version } = JSON.parse(readFileSync(fileURLToPath(new URL("package.json", ROOT)), "utf8")) as { version: string };
  const packages = ["@earendil-works/pi-coding-agent", "better-sqlite3", "@mozilla/readability", "defuddle", "undici", "minisearch"];
  const found = packages.flatMap((name) => {
    const of = packageVersion(name);
    return of === undefined ? [] : [[name, of] as const];
  });
  return {
    hypo: version,
    commit: firstLineOf("git", ["rev-parse", "--short", "HEAD"]),
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? "",
    ...Object.fromEntries(found),
    docker: firstLineOf("docker", ["version", "--format", "{{.Server.Version}}"]),
    ripgrep: firstLineOf("rg", ["--version"]),
  };
}

function packageVersion(name: string): string | undefined {
  const paths = createRequire(ROOT).resolve.paths(name) ?? [];
  for (const path of paths) {
    try {
      return (JSON.parse(readFileSync(`${path}/${name}/package.json`, "utf8")) as { version: string }).version;
    } catch {
      // It may lie in a folder further up.
    }
  }
  return undefined;
}

function firstLineOf(command: string, args: readonly string[]): string {
  try {
    const output = execFileSync(command, args, { cwd: fileURLToPath(ROOT), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return output.split("\n")[0] ?? "";
  } catch {
    return "none";
  }
}
