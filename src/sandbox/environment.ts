import { readFile } from "node:fs/promises";
import type { ExecutionResult } from "../domain/experiment.ts";
import { sha256 } from "../domain/hash.ts";
import type { PairSpec } from "./container-spec.ts";
import { WORK } from "./container-spec.ts";
import type { EngineFacts } from "./engine.ts";
import type { ImageFacts } from "./images.ts";

/** What a replay compares: everything around the code that can change a number. */
export async function describeEnvironment(facts: {
  engine: EngineFacts;
  image: ImageFacts;
  spec: PairSpec;
  seccompSha256: string;
  version: string;
  isLocal: boolean;
}): Promise<ExecutionResult["environment"]> {
  const { engine, image, spec } = facts;
  const processor = facts.isLocal ? await describeProcessor() : { cpu_model: "unknown (remote engine)" };
  return {
    ...processor,
    hypo: facts.version,
    architecture: engine.architecture,
    kernel: engine.kernel,
    docker: engine.version,
    docker_api: engine.apiVersion,
    containerd: engine.containerdVersion,
    runtime: engine.runtime,
    runtime_version: engine.runtimeVersion,
    storage_driver: engine.storageDriver,
    cgroups: engine.cgroups,
    image_layers: image.layers,
    seccomp_sha256: facts.seccompSha256,
    uid: spec.uid,
    cwd: WORK,
    env: spec.env,
    limit_seconds: spec.limits.seconds,
    limit_memory_mb: spec.limits.memory_mb,
    limit_cpus: spec.limits.cpus,
    limit_pids: spec.limits.pids,
    limit_output_mb: spec.limits.output_mb,
    locale: "C.UTF-8",
    time_zone: "UTC",
    network: "none",
  };
}

/** Model and a hash of the feature flags: without equal flags the last bits of floating-point results may differ. */
async function describeProcessor(): Promise<Record<string, string>> {
  const text = await readFile("/proc/cpuinfo", "utf8").catch(() => "");
  const field = (name: RegExp): string | undefined => name.exec(text)?.[1]?.trim();
  const flags = field(/^(?:flags|Features)\s*:\s*(.*)$/m);
  const sorted = flags?.split(/\s+/).toSorted().join(" ");
  return {
    cpu_model: field(/^model name\s*:\s*(.*)$/m) ?? "unknown",
    cpu_flags_sha256: sorted === undefined ? "unknown" : sha256(sorted),
    ...(sorted === undefined ? {} : { cpu_flags: sorted }),
  };
}
