export type PiSdk = typeof import("@earendil-works/pi-coding-agent");

/**
 * Imports the Pi SDK (1-2 s, 90 MB), so only when agents are about to run. The agent directory has to be in the
 * environment first: Pi fixes some of its folders at import.
 */
export async function loadPiSdk(agentDir: string | undefined, env: NodeJS.ProcessEnv): Promise<PiSdk> {
  if (agentDir !== undefined) env["PI_CODING_AGENT_DIR"] = agentDir;
  return import("@earendil-works/pi-coding-agent");
}
