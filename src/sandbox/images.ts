import type Docker from "dockerode";
import { HypoError, messageOf } from "../domain/errors.ts";
import type { Clock } from "../domain/ports.ts";
import { statusOf } from "./engine.ts";
import { PullProgress } from "./pull-progress.ts";
import { within } from "./within.ts";

/** The image that `scripts/make-test-images` makes without a registry. */
export const LOCAL_IMAGE = "hypo-sandbox/python:latest";

export interface ImageFacts {
  id: string;
  layers: string[];
  env: string[];
}

/** The longest the engine may take to say what it has, in milliseconds. */
const FIND_MS = 20_000;
/** How long a pull may be silent, and take in all, in milliseconds. */
const PULL_SILENCE_MS = 15_000;
const PULL_TOTAL_MS = 600_000;
/** For so long a registry that could not be reached is not asked again. */
const PULL_AGAIN_MS = 60_000;

/** Finds images, and pulls those that are missing. */
export class Images {
  private readonly docker: Docker;
  private readonly clock: Clock;
  private readonly failures = new Map<string, { at: number; error: HypoError }>();

  constructor(docker: Docker, clock: Clock) {
    this.docker = docker;
    this.clock = clock;
  }

  /** The image, if the engine has it. */
  async find(name: string): Promise<ImageFacts | undefined> {
    const asked = within(() => this.docker.getImage(name).inspect(), FIND_MS, this.clock);
    const image = await asked.catch((error: unknown) => {
      if (statusOf(error) === 404) return undefined;
      throw error;
    });
    if (image === undefined) return undefined;
    refuseVolumes(name, Object.keys(image.Config.Volumes ?? {}));
    return { id: image.Id, layers: image.RootFS.Layers ?? [], env: image.Config.Env ?? [] };
  }

  /**
   * The image, pulled where it is missing.
   *
   * @throws HypoError `image_unavailable` where no registry gives it, or it declares volumes.
   */
  async get(name: string, signal: AbortSignal, onProgress: (message: string) => void): Promise<ImageFacts> {
    const found = await this.find(name);
    if (found !== undefined) return found;
    const failed = this.failures.get(name);
    if (failed !== undefined && this.clock.monotonic() - failed.at < PULL_AGAIN_MS) throw failed.error;
    try {
      await this.pull(name, signal, onProgress);
    } catch (error) {
      const unavailable = pullError(name, error);
      if (!signal.aborted) this.failures.set(name, { at: this.clock.monotonic(), error: unavailable });
      throw unavailable;
    }
    const pulled = await this.find(name);
    if (pulled === undefined) throw pullError(name, new Error("the engine does not have it after the pull"));
    return pulled;
  }

  private async pull(name: string, signal: AbortSignal, onProgress: (message: string) => void): Promise<void> {
    if (name === LOCAL_IMAGE) throw new Error("no registry has it");
    onProgress(`pulling the image ${name}`);
    const stop = new AbortController();
    try {
      await this.followPull(name, AbortSignal.any([signal, stop.signal]), onProgress);
    } finally {
      // A pull that was given up would go on, and keep this process alive.
      stop.abort();
    }
  }

  private async followPull(name: string, signal: AbortSignal, onProgress: (message: string) => void): Promise<void> {
    const stream = await within(() => this.docker.pull(name, { abortSignal: signal }), PULL_SILENCE_MS, this.clock);
    let lastHeard = this.clock.monotonic();
    const progress = new PullProgress();
    const finished = new Promise<void>((resolve, reject) => {
      this.docker.modem.followProgress(
        stream,
        (error) => (error === null || error === undefined ? resolve() : reject(error)),
        (event: unknown) => {
          lastHeard = this.clock.monotonic();
          const message = progress.take(event);
          if (message !== undefined) onProgress(`pulling the image ${name}: ${message}`);
        },
      );
    });
    const silence = this.watchSilence(() => lastHeard, signal);
    await within(() => Promise.race([finished, silence]), PULL_TOTAL_MS, this.clock);
  }

  /** Fails when nothing was heard for too long, or nobody wants to hear any more. */
  private async watchSilence(lastHeard: () => number, done: AbortSignal): Promise<never> {
    for (;;) {
      await this.clock.sleep(1000, done).catch(() => undefined);
      if (done.aborted) throw new Error("the pull was given up");
      if (this.clock.monotonic() - lastHeard() > PULL_SILENCE_MS)
        throw new Error(`the registry was silent for ${PULL_SILENCE_MS / 1000} seconds`);
    }
  }
}

/** A volume that an image declares is writable whatever the root file system is. */
function refuseVolumes(name: string, volumes: string[]): void {
  if (volumes.length === 0) return;
  throw new HypoError(
    "image_unavailable",
    `The image ${name} declares volumes (${volumes.join(", ")}), which a read-only container cannot close.`,
    {
      hint: "Choose an image without VOLUME, or build one from it that has none.",
    },
  );
}

function pullError(name: string, error: unknown): HypoError {
  if (error instanceof HypoError) return error;
  const reason = messageOf(error)
    .replace(/^\(HTTP code \d+\) [a-z ]+ - /, "")
    .trim();
  return new HypoError("image_unavailable", `The image ${name} is not on this engine and cannot be pulled: ${reason}.`, {
    hint: "Pull it where a registry can be reached, make the local image with scripts/make-test-images, or set experiment.image to one that is there.",
    cause: error,
  });
}
