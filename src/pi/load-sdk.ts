import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export type PiSdk = typeof import("@earendil-works/pi-coding-agent");

/**
 * Imports the Pi SDK (1-2 s, 90 MB), so only when agents are about to run. The agent directory has to be in the
 * environment first: Pi fixes some of its folders at import.
 */
export async function loadPiSdk(agentDir: string | undefined, env: NodeJS.ProcessEnv): Promise<PiSdk> {
  if (agentDir !== undefined) env["PI_CODING_AGENT_DIR"] = agentDir;
  return import("@earendil-works/pi-coding-agent");
}

/** The version of the installed Pi SDK, without importing it. */
export function readPiVersion(): string {
  const main = createRequire(import.meta.url).resolve("@earendil-works/pi-coding-agent");
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", `file://${main}`), "utf8"));
  const version = typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
  return typeof version === "string" ? version : "unknown";
}
