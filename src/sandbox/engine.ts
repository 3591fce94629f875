import type Docker from "dockerode";
import { HypoError, messageOf, systemCodeOf } from "../domain/errors.ts";
import type { Clock } from "../domain/ports.ts";
import { describeProcessor } from "./processor.ts";
import { within } from "./within.ts";

/** What was found out about the engine before anything runs on it. */
export interface EngineFacts {
  version: string;
  apiVersion: string;
  kernel: string;
  architecture: string;
  processors: number;
  memoryBytes: number;
  runtime: string;
  runtimeVersion: string;
  containerdVersion: string;
  storageDriver: string;
  cgroups: string;
  /** Model and flags, where the engine is on this machine. */
  processor: Record<string, string | string[]>;
}

const START_HINT = "Start Docker (scripts/ensure-docker installs and starts it on Debian), or set DOCKER_HOST to an engine that answers.";

/**
 * A client for the engine at `host` (as DOCKER_HOST would say it), or where the environment says. Connects to nothing yet.
 *
 * @throws HypoError `docker_unavailable` where the environment names no place that can be understood.
 */
export async function openEngine(host: string | undefined): Promise<Docker> {
  const { default: DockerClient } = await import("dockerode");
  if (host === undefined) return openNamed(() => new DockerClient());
  const url = new URL(host);
  if (url.protocol === "unix:") return new DockerClient({ socketPath: url.pathname });
  return new DockerClient({ protocol: "http", host: url.hostname, port: url.port === "" ? 2375 : Number(url.port) });
}

function openNamed(open: () => Docker): Docker {
  try {
    return open();
  } catch (error) {
    throw new HypoError("docker_unavailable", `Docker's variables name no engine: ${messageOf(error)}.`, {
      hint: "Set DOCKER_HOST as in unix:///var/run/docker.sock or tcp://host:2376, and DOCKER_CERT_PATH where DOCKER_TLS_VERIFY is set.",
      cause: error,
    });
  }
}

/**
 * Asks the engine what it is and whether it can hold an experiment.
 *
 * @throws HypoError `docker_unavailable` where it does not answer in time, or lacks a limit that experiments rely on.
 */
export async function examineEngine(docker: Docker, runtime: string | undefined, clock: Clock, timeoutMs: number): Promise<EngineFacts> {
  const [info, version] = await within(() => Promise.all([askInfo(docker), docker.version()]), timeoutMs, clock).catch((error: unknown) => {
    throw unavailable(error);
  });
  requireLimits(info);
  const chosen = runtime ?? info.DefaultRuntime;
  if (!(chosen in info.Runtimes))
    throw new HypoError(
      "docker_unavailable",
      `The engine has no runtime named ${chosen}; it has ${Object.keys(info.Runtimes).join(", ")}.`,
      {
        hint: "Install it, or unset experiment.runtime.",
      },
    );
  const versionOf = (component: string): string => version.Components?.find(({ Name }) => Name === component)?.Version ?? "unknown";
  return {
    version: info.ServerVersion,
    apiVersion: version.ApiVersion,
    kernel: info.KernelVersion,
    architecture: info.Architecture,
    processors: info.NCPU,
    memoryBytes: info.MemTotal,
    runtime: chosen,
    runtimeVersion: versionOf(chosen),
    containerdVersion: versionOf("containerd"),
    storageDriver: info.Driver,
    cgroups: `v${info.CgroupVersion ?? "1"} ${info.CgroupDriver}`,
    processor: isLocalEngine(docker) ? await describeProcessor() : { cpu_model: "unknown (remote engine)" },
  };
}

/** The fields of `GET /info` that are used; the typings leave the answer open. */
interface EngineInfo {
  OSType: string;
  ServerVersion: string;
  KernelVersion: string;
  Architecture: string;
  NCPU: number;
  MemTotal: number;
  Driver: string;
  CgroupDriver: string;
  CgroupVersion?: string;
  DefaultRuntime: string;
  Runtimes: Record<string, unknown>;
  MemoryLimit: boolean;
  SwapLimit: boolean;
  PidsLimit: boolean;
  CpuCfsQuota: boolean;
  SecurityOptions: string[] | null;
}

async function askInfo(docker: Docker): Promise<EngineInfo> {
  const info: EngineInfo = await docker.info();
  return info;
}

/** The client drops the warnings with which the engine creates a container without a limit, so they are looked at first. */
function requireLimits(info: EngineInfo): void {
  const missing = [
    info.OSType === "linux" ? undefined : "Linux containers",
    info.MemoryLimit ? undefined : "memory limits",
    info.SwapLimit ? undefined : "swap limits (boot with swapaccount=1)",
    info.PidsLimit ? undefined : "process limits",
    info.CpuCfsQuota ? undefined : "processor limits",
    info.SecurityOptions?.some((option) => option.includes("name=seccomp")) === true ? undefined : "seccomp",
  ].filter((what) => what !== undefined);
  if (missing.length === 0) return;
  throw new HypoError("docker_unavailable", `The Docker engine cannot hold experiments: it lacks ${missing.join(", ")}.`, {
    hint: "Enable what is missing in the kernel or the engine's configuration; experiments never run without their limits.",
  });
}

/** An engine that cannot be reached, in words that say what to do; an answer of the engine stays as it is. */
export function explainUnreachable(error: unknown): unknown {
  return error instanceof HypoError || systemCodeOf(error) === undefined ? error : unavailable(error);
}

function unavailable(error: unknown): HypoError {
  const code = systemCodeOf(error);
  const why =
    code === "ENOENT"
      ? "there is no engine's socket"
      : code === "ECONNREFUSED"
        ? "nothing listens on the engine's socket"
        : code === "EACCES"
          ? "this user may not use the engine's socket"
          : messageOf(error).trim();
  const hint = code === "EACCES" ? "Add the user to the group docker and log in again, or run as one that may." : START_HINT;
  return new HypoError("docker_unavailable", `No Docker engine answers: ${why}.`, { hint, cause: error });
}

/** Whether the engine is on this machine, so that what is read here is true of it. */
function isLocalEngine(docker: Docker): boolean {
  return "socketPath" in docker.modem && docker.modem.socketPath !== undefined;
}

/** The HTTP status of an answer in which the engine refused something. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return undefined;
  return typeof error.statusCode === "number" ? error.statusCode : undefined;
}
