import type { Config } from "../domain/config.ts";
import type { Clock } from "../domain/ports.ts";
import { examineEngine, openEngine } from "./engine.ts";
import { Images, LOCAL_IMAGE } from "./images.ts";
import { within } from "./within.ts";

export interface ExaminedDocker {
  /** The engine's version and runtime, in words. */
  engine: string;
  /** Whether the engine has the configured image of experiments. */
  hasImage: boolean;
  /** The image that stands in for it where it cannot be pulled; undefined where that is not there either. */
  standIn: string | undefined;
}

interface DockerQuestion {
  experiment: Config["experiment"];
  clock: Clock;
  /** As DOCKER_HOST would say it; the environment's where undefined. */
  dockerHost: string | undefined;
  timeoutMs: number;
}

/**
 * Asks the engine what it is and which images it has. Starts, pulls and removes nothing.
 *
 * @throws HypoError `docker_unavailable`; `image_unavailable` for an image that experiments cannot use.
 */
export async function examineDocker({ experiment, clock, dockerHost, timeoutMs }: DockerQuestion): Promise<ExaminedDocker> {
  const docker = await openEngine(dockerHost);
  const facts = await examineEngine(docker, experiment.runtime, clock, timeoutMs);
  const images = new Images(docker, clock);
  const [image, local] = await within(() => Promise.all([images.find(experiment.image), images.find(LOCAL_IMAGE)]), timeoutMs, clock);
  return {
    engine: `Docker ${facts.version} with ${facts.runtime}`,
    hasImage: image !== undefined,
    standIn: local === undefined ? undefined : LOCAL_IMAGE,
  };
}
