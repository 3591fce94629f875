import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { boundLimits, keeperOptions, payloadOptions, type PairSpec } from "../../../src/sandbox/container-spec.ts";
import { isOwnerAlive, labelsFor, ownerLabel } from "../../../src/sandbox/labels.ts";
import { isAbandoned } from "../../../src/sandbox/leftovers.ts";
import { loadSeccompProfile } from "../../../src/sandbox/seccomp.ts";

const EXECUTION = { run: "r", branch: "main", call: "c", experiment: "x-1", execution: 1 };
const labelled = (owner: string, deadline: number) => labelsFor(EXECUTION, { pair: "p", folder: "/f", owner, deadline });
const SPEC: PairSpec = {
  pair: "p",
  labels: labelled("1:1@x", 1),
  image: "sha256:1",
  command: ["python3", "main.py"],
  env: ["A=1"],
  limits: { seconds: 10, memory_mb: 256, cpus: 1, pids: 64, output_mb: 32 },
  uid: 12_345,
  runtime: undefined,
  seccomp: "{}",
  input: { bytes: 10, entries: 2 },
};

describe("both containers of an experiment", () => {
  it.each([
    ["payload", payloadOptions(SPEC)],
    ["keeper", keeperOptions(SPEC)],
  ])("the %s is closed on every side", (_role, options) => {
    expect(options).toMatchObject({ NetworkDisabled: true, Entrypoint: [], Healthcheck: { Test: ["NONE"] }, StopSignal: "SIGKILL" });
    expect(options.HostConfig).toMatchObject({
      NetworkMode: "none",
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      Privileged: false,
      SecurityOpt: ["no-new-privileges:true", "seccomp={}"],
      IpcMode: "private",
      CgroupnsMode: "private",
      LogConfig: { Type: "none" },
      AutoRemove: false,
    });
    expect(options.HostConfig?.Memory).toBe(options.HostConfig?.MemorySwap);
    expect(options.HostConfig?.Memory).toBeGreaterThan(0);
    expect(options.HostConfig?.PidsLimit).toBeGreaterThan(0);
    expect(options.HostConfig?.NanoCpus).toBe(1e9);
    expect(options.HostConfig?.Binds).toBeUndefined();
    expect(options.HostConfig?.Ulimits?.map(({ Name }) => Name)).not.toContain("nproc");
  });

  it("share processes, so that nothing of the payload outlives the keeper; not under gVisor, which cannot", () => {
    expect(payloadOptions(SPEC).HostConfig?.PidMode).toBe("container:hypo-p-keeper");
    const gvisor = payloadOptions({ ...SPEC, runtime: "runsc" }).HostConfig;
    expect([gvisor?.PidMode, gvisor?.Runtime, gvisor?.Init, gvisor?.PidsLimit]).toEqual([undefined, "runsc", true, 64 + 512]);
  });

  it("have different users, and only the keeper may write the inputs", () => {
    const workOf = (options: ReturnType<typeof keeperOptions>) => options.HostConfig?.Mounts?.find(({ Target }) => Target === "/work");
    expect(payloadOptions(SPEC).User).not.toBe(keeperOptions(SPEC).User);
    expect(workOf(payloadOptions(SPEC))?.ReadOnly).toBe(true);
    expect(workOf(keeperOptions(SPEC))?.ReadOnly).toBe(false);
    expect(workOf(keeperOptions(SPEC))?.VolumeOptions?.DriverConfig.Options["o"]).toMatch(/uid=0,.*nosuid,nodev,noexec/);
  });

  it("get no more than the configuration and the machine have", () => {
    const asked = { seconds: 1000, memory_mb: 8000, cpus: 16, pids: 64, output_mb: 32 };
    expect(boundLimits(asked, { seconds: 600, cpus: 4, memory_mb: 1024 }, { processors: 2 })).toEqual({
      seconds: 600,
      memory_mb: 1024,
      cpus: 2,
      pids: 64,
      output_mb: 32,
    });
  });
});

describe("the system calls of an experiment", () => {
  it("are those of a list that leaves out what leads to the host", async () => {
    const { text, sha256 } = await loadSeccompProfile();
    const profile: { defaultAction: string; archMap: unknown[]; syscalls: { names: string[]; action: string; args?: unknown[] }[] } =
      JSON.parse(text);
    const allowed = new Set(
      profile.syscalls.filter(({ action, args }) => action === "SCMP_ACT_ALLOW" && args === undefined).flatMap(({ names }) => names),
    );
    expect(profile.defaultAction).toBe("SCMP_ACT_ERRNO");
    for (const name of ["read", "write", "mmap", "futex", "execve", "wait4"]) expect(allowed).toContain(name);
    for (const name of [
      "socket",
      "socketcall",
      "ptrace",
      "process_vm_readv",
      "keyctl",
      "add_key",
      "bpf",
      "perf_event_open",
      "userfaultfd",
      "io_uring_setup",
      "mount",
      "umount2",
      "unshare",
      "setns",
      "clone",
      "clone3",
      "pivot_root",
      "kexec_load",
      "init_module",
      "open_by_handle_at",
      "reboot",
    ])
      expect(allowed).not.toContain(name);
    expect(JSON.stringify(profile.archMap)).not.toMatch(/SCMP_ARCH_(?:X86"|X32|ARM")/);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("the owner of a container", () => {
  it("is known to live, to have died, or to be somebody who cannot be asked", async () => {
    const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
    await once(child, "exit");
    const host = ownerLabel().split("@")[1];
    expect(isOwnerAlive(ownerLabel())).toBe(true);
    expect(isOwnerAlive(`${child.pid}:1@${host}`)).toBe(false);
    // The pid lives, but started at another time: it is another process.
    expect(isOwnerAlive(`${process.pid}:1@${host}`)).toBe(false);
    expect(isOwnerAlive(`${process.pid}:1@elsewhere`)).toBeUndefined();
    expect(isOwnerAlive(undefined)).toBeUndefined();
  });

  it("decides whether it is abandoned; its deadline does where the owner cannot be asked", () => {
    const now = new Date(1_000_000);
    const host = ownerLabel().split("@")[1];
    expect(isAbandoned(labelled(ownerLabel(), 1001), now)).toBe(false);
    expect(isAbandoned(labelled(ownerLabel(), 999), now)).toBe(false);
    expect(isAbandoned(labelled(`${process.pid}:1@${host}`, 1001), now)).toBe(true);
    expect(isAbandoned(labelled("1:1@elsewhere", 1001), now)).toBe(false);
    expect(isAbandoned(labelled("1:1@elsewhere", 999), now)).toBe(true);
  });
});
