import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** A process so that it cannot be taken for a later one with the same pid. */
export interface ProcessIdentity {
  pid: number;
  /** When it started: clock ticks since boot on Linux, the `lstart` of `ps` elsewhere. */
  started: string;
  /** The kernel's boot id; empty where there is none (`started` carries the date there). */
  boot: string;
  host: string;
}

/** The identity of a running process of this machine (this one by default); `undefined` where the pid is not running. */
export function processIdentity(pid: number = process.pid): ProcessIdentity | undefined {
  const started = startOf(pid);
  return started === undefined ? undefined : { pid, started, boot: bootId(), host: hostname() };
}

/** True when exactly this process still runs on this machine. A zombie has ended; what runs elsewhere is not alive here. */
export function isAlive(identity: ProcessIdentity): boolean {
  return !isElsewhere(identity) && identity.boot === bootId() && startOf(identity.pid) === identity.started;
}

/** True when the process belongs to another machine, so that nothing can be said of it from here. */
export function isElsewhere(identity: ProcessIdentity): boolean {
  return identity.host !== hostname();
}

function startOf(pid: number): string | undefined {
  return process.platform === "linux" ? startFromProc(pid) : startFromPs(pid);
}

/** Field 22 of `/proc/<pid>/stat` (proc_pid_stat(5)); the command before it may hold spaces and parentheses. */
function startFromProc(pid: number): string | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields?.[0];
  return state === "Z" || state === "X" ? undefined : fields?.[19];
}

function startFromPs(pid: number): string | undefined {
  try {
    const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
    const started = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return started.trim() || undefined;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readOrNothing("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
