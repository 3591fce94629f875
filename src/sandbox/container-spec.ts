import type { ContainerCreateOptions, HostConfig, MountSettings } from "dockerode";
import type { ResourceLimits, TestPlan } from "../domain/experiment.ts";
import { LABEL, type Labels } from "./labels.ts";

const MIB = 1024 * 1024;
const KEEPER_UID = 65_533;

/** What every execution is held to besides the limits of its plan. No nproc: the kernel counts it per user over all containers. */
export const FIXED_LIMITS = {
  open_files: 1024,
  core_bytes: 0,
  locked_bytes: 65_536,
  queue_bytes: 65_536,
  shm_mb: 16,
  tmp_mb: 64,
  out_files: 4096,
} as const;

/** gVisor's own threads count against the limit on processes. */
const GVISOR_THREADS = 512;

/** The name of the machine, as programs see it. */
const HOSTNAME = "sandbox";

/**
 * How long the keeper outlives the time limit, in seconds: more than all that hypo waits for while it is needed, which
 * is the preparation, the start, the end of the payload and the reading of its artefacts.
 */
const KEEPER_GRACE_SECONDS = 600;

/** Where programs see their inputs and leave what they made. */
export const WORK = "/work";
export const OUT = "/out";

export interface PairSpec {
  /** Unique part of the names of both containers and both volumes. */
  pair: string;
  labels: Labels;
  image: string;
  command: string[];
  env: string[];
  limits: ResourceLimits;
  uid: number;
  runtime: string | undefined;
  seccomp: string;
  input: { bytes: number; entries: number };
}

export function namesOf(pair: string): { keeper: string; payload: string; out: string; work: string } {
  return { keeper: `hypo-${pair}-keeper`, payload: `hypo-${pair}-payload`, out: `hypo-${pair}-out`, work: `hypo-${pair}-work` };
}

/** The limits of a plan, held to what the configuration and the engine's machine allow. */
export function boundLimits(
  limits: ResourceLimits,
  most: { seconds: number; cpus: number; memory_mb: number },
  machine: { processors: number },
): ResourceLimits {
  return {
    ...limits,
    seconds: Math.min(limits.seconds, most.seconds),
    cpus: Math.min(limits.cpus, most.cpus, machine.processors),
    memory_mb: Math.min(limits.memory_mb, most.memory_mb),
  };
}

/** What every experiment finds in its environment, besides the image's own. */
export function environmentFor(plan: Pick<TestPlan, "seeds">): string[] {
  return [
    `HYPO_SEED=${plan.seeds[0] ?? 0}`,
    `HYPO_SEEDS=${plan.seeds.join(",")}`,
    "PYTHONHASHSEED=0",
    "PYTHONDONTWRITEBYTECODE=1",
    "LC_ALL=C.UTF-8",
    "TZ=UTC",
    "SOURCE_DATE_EPOCH=1700000000",
    "OPENBLAS_NUM_THREADS=1",
    "HOME=/tmp",
    `HOSTNAME=${HOSTNAME}`,
  ];
}

/** The volume for artefacts: the execution's own, bounded in bytes and files. */
function outVolume(spec: PairSpec): TmpfsOptions {
  return { size: spec.limits.output_mb * MIB, inodes: FIXED_LIMITS.out_files, mode: "0700", uid: spec.uid };
}

/** The volume for inputs: root's own. */
function workVolume(spec: PairSpec): TmpfsOptions {
  // Files take whole pages.
  const size = spec.input.bytes + spec.input.entries * 4096 + MIB;
  return { size, inodes: spec.input.entries + 64, mode: "0755", uid: 0 };
}

interface TmpfsOptions {
  size: number;
  inodes: number;
  mode: string;
  uid: number;
}

/** Both volumes as mounts: made by whichever container is created first. Nothing on them can be executed. */
function mounts(spec: PairSpec, workReadOnly: boolean): MountSettings[] {
  const { out, work } = namesOf(spec.pair);
  const mount = (Source: string, Target: string, ReadOnly: boolean, volume: TmpfsOptions): MountSettings => {
    const o = `size=${volume.size},nr_inodes=${volume.inodes},mode=${volume.mode},uid=${volume.uid},gid=${volume.uid},nosuid,nodev,noexec`;
    const DriverConfig = { Name: "local", Options: { type: "tmpfs", device: "tmpfs", o } };
    return { Type: "volume", Source, Target, ReadOnly, VolumeOptions: { NoCopy: true, Labels: spec.labels, DriverConfig } };
  };
  return [mount(out, OUT, false, outVolume(spec)), mount(work, WORK, workReadOnly, workVolume(spec))];
}

/**
 * The keeper: it runs no code of the experiment. While it sleeps the volumes can be written and read; when its sleep
 * ends, so does everything in its process namespace.
 */
export function keeperOptions(spec: PairSpec): ContainerCreateOptions {
  const limits = { ...spec.limits, memory_mb: 32, pids: 16, cpus: Math.min(1, spec.limits.cpus) };
  return {
    ...commonOptions(spec, "keeper"),
    name: namesOf(spec.pair).keeper,
    User: `${KEEPER_UID}:${KEEPER_UID}`,
    Cmd: ["sleep", String(Math.ceil(spec.limits.seconds) + KEEPER_GRACE_SECONDS)],
    // Its first process collects the orphans of the payload, which `sleep` would not.
    HostConfig: { ...hostConfig(spec, limits, KEEPER_UID), Mounts: mounts(spec, false), Init: true },
  };
}

/** The payload: the experiment's command, with its inputs read-only and nothing else of the machine. */
export function payloadOptions(spec: PairSpec): ContainerCreateOptions {
  // gVisor cannot share a process namespace between sandboxes; there an init of its own collects orphans.
  const sharesProcesses = spec.runtime === undefined || spec.runtime === "runc";
  return {
    ...commonOptions(spec, "payload"),
    name: namesOf(spec.pair).payload,
    AttachStdout: true,
    AttachStderr: true,
    User: `${spec.uid}:${spec.uid}`,
    Env: spec.env,
    Cmd: spec.command,
    HostConfig: {
      ...hostConfig(spec, spec.limits, spec.uid),
      ...(sharesProcesses ? {} : { PidsLimit: spec.limits.pids + GVISOR_THREADS }),
      Mounts: mounts(spec, true),
      ...(spec.runtime === undefined ? {} : { Runtime: spec.runtime }),
      ...(sharesProcesses ? { PidMode: `container:${namesOf(spec.pair).keeper}` } : { Init: true }),
    },
  };
}

/** The tmpfs that both containers' programs may write for themselves; gone with them. */
function scratch(uid: number): Record<string, string> {
  return {
    "/tmp": `rw,noexec,nosuid,nodev,size=${FIXED_LIMITS.tmp_mb * MIB},nr_inodes=${FIXED_LIMITS.out_files},mode=0700,uid=${uid},gid=${uid}`,
  };
}

function commonOptions(spec: PairSpec, role: "keeper" | "payload"): ContainerCreateOptions {
  return {
    Image: spec.image,
    WorkingDir: WORK,
    Labels: { ...spec.labels, [LABEL.role]: role },
    Tty: false,
    OpenStdin: false,
    AttachStdin: false,
    NetworkDisabled: true,
    Hostname: HOSTNAME,
    Entrypoint: [],
    Healthcheck: { Test: ["NONE"] },
    StopSignal: "SIGKILL",
    StopTimeout: 1,
  };
}

/** The typings lack the namespace of control groups. */
type HostLimits = HostConfig & { CgroupnsMode: "private" };

function hostConfig(spec: PairSpec, limits: ResourceLimits, uid: number): HostLimits {
  return {
    NetworkMode: "none",
    ReadonlyRootfs: true,
    Privileged: false,
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges:true", `seccomp=${spec.seccomp}`],
    Memory: limits.memory_mb * MIB,
    MemorySwap: limits.memory_mb * MIB,
    OomKillDisable: false,
    OomScoreAdj: 1000,
    PidsLimit: limits.pids,
    NanoCpus: Math.round(limits.cpus * 1e9),
    ShmSize: FIXED_LIMITS.shm_mb * MIB,
    Ulimits: [
      ulimit("nofile", FIXED_LIMITS.open_files),
      ulimit("fsize", limits.output_mb * MIB),
      ulimit("core", FIXED_LIMITS.core_bytes),
      ulimit("memlock", FIXED_LIMITS.locked_bytes),
      ulimit("msgqueue", FIXED_LIMITS.queue_bytes),
    ],
    MaskedPaths: MASKED_PATHS,
    ReadonlyPaths: READONLY_PATHS,
    IpcMode: "private",
    CgroupnsMode: "private",
    AutoRemove: false,
    RestartPolicy: { Name: "no" },
    LogConfig: { Type: "none", Config: {} },
    Tmpfs: scratch(uid),
  };
}

function ulimit(name: string, value: number): { Name: string; Soft: number; Hard: number } {
  return { Name: name, Soft: value, Hard: value };
}

/** A list given here replaces the engine's own, so its defaults come first; then what else tells of the host. */
const MASKED_PATHS = [
  "/proc/asound",
  "/proc/acpi",
  "/proc/kcore",
  "/proc/keys",
  "/proc/latency_stats",
  "/proc/timer_list",
  "/proc/timer_stats",
  "/proc/sched_debug",
  "/proc/scsi",
  "/sys/firmware",
  "/sys/devices/virtual/powercap",
  "/proc/interrupts",
  "/proc/cmdline",
  "/proc/kallsyms",
  "/proc/config.gz",
  "/proc/modules",
  "/proc/kpagecount",
  "/sys/kernel",
];
const READONLY_PATHS = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];
