import { randomBytes, randomInt } from "node:crypto";
import type { Config } from "../domain/config.ts";
import type { ExecutionResult } from "../domain/experiment.ts";
import type { ExecutionRequest } from "../domain/ports.ts";
import { boundLimits, environmentFor, type PairSpec } from "./container-spec.ts";
import type { EngineFacts } from "./engine.ts";
import { describeEnvironment } from "./environment.ts";
import type { ImageFacts } from "./images.ts";
import { countEntries, type InputFiles } from "./inputs.ts";
import { labelsFor, ownerLabel } from "./labels.ts";
import type { SeccompProfile } from "./seccomp.ts";

/** How long after its time limit an experiment's containers may still be needed, in seconds. */
const DEADLINE_GRACE_SECONDS = 720;

export interface PreparedExecution {
  spec: PairSpec;
  image: ImageFacts;
  environment: ExecutionResult["environment"];
}

/** Decides on everything that has to be known before a container is made, with a user and names of its own. */
export function prepareExecution(
  request: ExecutionRequest,
  inputs: InputFiles,
  found: { facts: EngineFacts; image: ImageFacts; seccomp: SeccompProfile },
  settings: { experiment: Config["experiment"]; version: string; now: Date; folder: string },
): PreparedExecution {
  const { facts, image, seccomp } = found;
  const limits = boundLimits(request.plan.limits, settings.experiment, facts);
  const pair = randomBytes(6).toString("hex");
  const deadline = Math.ceil(settings.now.getTime() / 1000 + limits.seconds) + DEADLINE_GRACE_SECONDS;
  const spec: PairSpec = {
    pair,
    labels: labelsFor(request, { pair, folder: settings.folder, owner: ownerLabel(), deadline }),
    image: image.id,
    command: request.command,
    env: mergeEnvironment(image.env, environmentFor(request.plan)),
    limits,
    uid: randomInt(10_000, 60_000),
    runtime: settings.experiment.runtime,
    seccomp: seccomp.text,
    input: { bytes: [...inputs.values()].reduce((sum, bytes) => sum + bytes.length, 0), entries: countEntries(inputs) },
  };
  const environment = describeEnvironment({
    engine: facts,
    image,
    spec,
    seccompSha256: seccomp.sha256,
    version: settings.version,
  });
  return { spec, image, environment };
}

/** The image's environment with ours over it, as the program sees it. */
function mergeEnvironment(image: string[], ours: string[]): string[] {
  const byName = new Map([...image, ...ours].map((entry) => [entry.split("=", 1)[0] ?? entry, entry]));
  return [...byName.values()];
}
