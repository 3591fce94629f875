import type Docker from "dockerode";
import type { Config } from "../domain/config.ts";
import { HypoError } from "../domain/errors.ts";
import type { Clock, Criteria } from "../domain/ports.ts";
import { examineEngine, openEngine, type EngineFacts } from "./engine.ts";
import { Images } from "./images.ts";
import { Reaper } from "./reaper.ts";
import { loadSeccompProfile, type SeccompProfile } from "./seccomp.ts";
import type { ExperimentStore } from "./store.ts";

const ENGINE_TIMEOUT_MS = 10_000;
/** For so long an engine is taken to be what it said it is. */
const FACTS_MS = 30_000;

/** An engine that answered, with what is kept between experiments: nothing of which belongs to any of them. */
export interface OpenEngine {
  docker: Docker;
  images: Images;
  reaper: Reaper;
  seccomp: SeccompProfile;
}

interface UsableEngine {
  engine: OpenEngine;
  facts: EngineFacts;
}

export interface EngineOptions {
  experiment: Config["experiment"];
  clock: Clock;
  store: ExperimentStore;
  criteria: Criteria;
  dockerHost: string | undefined;
  engineTimeoutMs: number | undefined;
}

/** The engine of a sandbox: connected to when it is first needed, and examined before it is used. */
export class EngineAccess {
  private readonly options: EngineOptions;
  private opened: Promise<OpenEngine> | undefined;
  private latest: (UsableEngine & { at: number }) | undefined;

  constructor(options: EngineOptions) {
    this.options = options;
  }

  /**
   * The engine and what it is; the first use clears away what dead processes left.
   *
   * @throws HypoError `docker_unavailable`
   */
  async use(): Promise<UsableEngine> {
    const { clock } = this.options;
    if (this.latest !== undefined && clock.monotonic() - this.latest.at < FACTS_MS) return this.latest;
    return this.examine();
  }

  /** The same, asked now. */
  async examine(): Promise<UsableEngine> {
    const { experiment, clock, engineTimeoutMs } = this.options;
    this.opened ??= this.open();
    const engine = await this.opened;
    const facts = await examineEngine(engine.docker, experiment.runtime, clock, engineTimeoutMs ?? ENGINE_TIMEOUT_MS);
    await engine.reaper.reapOnce();
    this.latest = { engine, facts, at: clock.monotonic() };
    return this.latest;
  }

  /** The reaper of an engine that answers; undefined where none does. */
  async findReaper(): Promise<Reaper | undefined> {
    try {
      return (await this.examine()).engine.reaper;
    } catch (error) {
      if (error instanceof HypoError && error.code === "docker_unavailable") return undefined;
      throw error;
    }
  }

  private async open(): Promise<OpenEngine> {
    const { clock, dockerHost, store, criteria } = this.options;
    const [docker, seccomp] = await Promise.all([openEngine(dockerHost), loadSeccompProfile()]);
    return { docker, images: new Images(docker, clock), reaper: new Reaper({ docker, clock, store, criteria }), seccomp };
  }
}
