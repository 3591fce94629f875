import type { ExecutionResult } from "../domain/experiment.ts";
import type { PairSpec } from "./container-spec.ts";
import { FIXED_LIMITS, WORK } from "./container-spec.ts";
import type { EngineFacts } from "./engine.ts";
import type { ImageFacts } from "./images.ts";

/** What a replay compares: everything around the code that can change a number. */
export function describeEnvironment(facts: {
  engine: EngineFacts;
  image: ImageFacts;
  spec: PairSpec;
  seccompSha256: string;
  version: string;
}): ExecutionResult["environment"] {
  const { engine, image, spec } = facts;
  const variables = new Map(spec.env.map((entry) => splitOnce(entry)));
  return {
    ...engine.processor,
    hypo: facts.version,
    architecture: engine.architecture,
    kernel: engine.kernel,
    machine_processors: engine.processors,
    machine_memory_mb: Math.floor(engine.memoryBytes / 1024 / 1024),
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
    seed: variables.get("HYPO_SEED") ?? "",
    locale: variables.get("LC_ALL") ?? "",
    time_zone: variables.get("TZ") ?? "",
    python_hash_seed: variables.get("PYTHONHASHSEED") ?? "",
    source_date_epoch: variables.get("SOURCE_DATE_EPOCH") ?? "",
    blas_threads: variables.get("OPENBLAS_NUM_THREADS") ?? "",
    ...prefixed({ ...spec.limits, ...FIXED_LIMITS }),
    network: "none",
  };
}

function prefixed(limits: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(limits).map(([name, value]) => [`limit_${name}`, value]));
}

function splitOnce(entry: string): [string, string] {
  const at = entry.indexOf("=");
  return [entry.slice(0, at), entry.slice(at + 1)];
}
