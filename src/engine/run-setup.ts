import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Config } from "../domain/config.ts";
import type { Fact } from "../domain/events.ts";
import type { AgentId } from "../domain/ids.ts";
import type { Clock } from "../domain/ports.ts";
import { recordedSettings, type RunBasis } from "./decide/changes.ts";
import { PROMPTS_SHA256 } from "./prompts/system-prompts.ts";
import type { Ports, RunModels } from "./run-context.ts";
import type { RunFolder } from "./run-folder.ts";

/** Everything a run is made of. */
export interface RunSetup {
  /** The `.hypo` folder. */
  stateFolder: string;
  config: Config;
  models: RunModels;
  ports: Ports;
  clock: Clock;
  versions: { hypo: string; pi: string };
  rehearsal: boolean;
  onGate: "wait" | "exit" | "fail";
  /** Between 0 and 1. */
  random: () => number;
  randomHex: (digits: number) => string;
  say: (line: string) => void;
  /** Called with every fact once it is durable. */
  onFact: (fact: Fact) => void;
  onDelta: (agent: AgentId, delta: string) => void;
  crashAt: (point: string) => void;
}

/** `meta.json`: what never changes about a run. */
export const RunMeta = z.object({
  v: z.literal(1),
  run: z.string(),
  question: z.string(),
  created: z.string(),
  hypo: z.string(),
  pi: z.string(),
  models: z.object({ supervisor: z.string(), subagent: z.string(), thinking: z.string() }),
  prompts_sha256: z.string(),
  rehearsal: z.boolean(),
  origin: z.string(),
});
export type RunMeta = z.infer<typeof RunMeta>;

/** The folder's meta.json, checked. */
export async function readRunMeta(folder: RunFolder): Promise<RunMeta> {
  const text = await readFile(folder.meta, "utf8");
  return RunMeta.parse(JSON.parse(text));
}

/** What this program would go on with. */
export function basisOf({ versions, config }: RunSetup): RunBasis {
  return { hypo: versions.hypo, pi: versions.pi, prompts: PROMPTS_SHA256, config: recordedSettings(config) };
}
