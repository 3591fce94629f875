import { readFile } from "node:fs/promises";
import type { Config } from "../domain/config.ts";
import type { Fact } from "../domain/events.ts";
import type { AgentId, ItemId } from "../domain/ids.ts";
import type { Clock } from "../domain/ports.ts";
import { recordedSettings, type RunBasis } from "./decide/changes.ts";
import { PROMPTS_SHA256 } from "./prompts/system-prompts.ts";
import type { Ports, RunModels } from "./run-context.ts";
import type { RunFolder } from "./run-folder.ts";
import { RunMeta } from "./run-meta.ts";

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
  /** What an experiment at work is doing, as often as it changes. */
  onProgress: (experiment: ItemId, message: string) => void;
  crashAt: (point: string) => void;
}

/** The folder's meta.json, checked. */
export async function readRunMeta(folder: RunFolder): Promise<RunMeta> {
  const text = await readFile(folder.meta, "utf8");
  return RunMeta.parse(JSON.parse(text));
}

/** What this program would go on with. */
export function basisOf({ versions, config }: RunSetup): RunBasis {
  return { hypo: versions.hypo, pi: versions.pi, prompts: PROMPTS_SHA256, config: recordedSettings(config) };
}
