import type { Config } from "../../domain/config.ts";
import { HypoError } from "../../domain/errors.ts";
import { quoteForShell } from "../../domain/shell-word.ts";
import { systemClock } from "../../engine/system-clock.ts";
import type { ExaminedDocker } from "../../sandbox/index.ts";
import type { Check, Finding } from "./check.ts";

const ENGINE_MS = 8000;

/** The engine and the image of experiments. Without them a run does its research and marks its tests as not made. */
export function checkDocker(experiment: Config["experiment"]): Check {
  return {
    name: "docker",
    async examine() {
      const { examineDocker } = await import("../../sandbox/index.ts");
      try {
        const found = await examineDocker({ experiment, clock: systemClock, dockerHost: undefined, timeoutMs: ENGINE_MS });
        return [{ status: "ok", detail: found.engine }, describeImage(experiment.image, found)];
      } catch (error) {
        if (!(error instanceof HypoError)) throw error;
        return { status: "warn", detail: `${error.message} Experiments cannot run.`, fix: error.hint };
      }
    },
  };
}

function describeImage(image: string, { hasImage, standIn }: ExaminedDocker): Finding {
  if (hasImage) return { status: "ok", detail: `the image ${image} is here` };
  if (standIn !== undefined) return { status: "ok", detail: `the image ${image} is not here; ${standIn} is, where it cannot be pulled` };
  return {
    status: "warn",
    detail: `the image ${image} is not here`,
    fix: `It is pulled when first needed: \`docker pull ${quoteForShell(image)}\`, or without a registry scripts/make-test-images.`,
  };
}
