import { describe, expect, it } from "vitest";
import { execute, expectNothingLeft, openBench, withoutDocker } from "./support/real-engine.ts";

/** Runs many attempts in one container; each line of output is `name: what came of it`. */
async function tryAll(attempts: Record<string, string>): Promise<Record<string, string>> {
  const bench = await openBench();
  const script = `
import ctypes, errno, os, socket, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
def syscall(*args):
    if libc.syscall(*args) < 0: raise OSError(ctypes.get_errno(), "")
def attempt(name, body):
    try:
        done = eval(body) if "\\n" not in body else exec(body)
        print(f"{name}: done {done!r}")
    except OSError as error:
        print(f"{name}: {errno.errorcode.get(error.errno, error)}")
    except Exception as error:
        print(f"{name}: {type(error).__name__}")
for name, body in ${JSON.stringify(attempts)}.items(): attempt(name, body)
`;
  const result = await execute(bench, { script });
  expect(result).toMatchObject({ status: "completed", stderr_head: "" });
  await expectNothingLeft(bench.run);
  return Object.fromEntries(
    result.stdout_head
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
  );
}

describe.skipIf(withoutDocker)("a hostile experiment", () => {
  it("reaches no network of any kind", async () => {
    const connect = (family: string, address: string): string => `socket.socket(socket.${family}, socket.SOCK_STREAM).connect(${address})`;
    expect(
      await tryAll({
        tcp: connect("AF_INET", '("1.1.1.1", 80)'),
        metadata: connect("AF_INET", '("169.254.169.254", 80)'),
        bridge: connect("AF_INET", '("172.17.0.1", 80)'),
        ipv6: connect("AF_INET6", '("2606:4700:4700::1111", 80)'),
        udp: `socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("1.1.1.1", 53))`,
        raw: `socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)`,
        packet: `socket.socket(17, socket.SOCK_RAW, 0)`,
        netlink: `socket.socket(16, socket.SOCK_RAW, 0)`,
        vsock: `socket.socket(40, socket.SOCK_STREAM, 0)`,
        alg: `socket.socket(38, 5, 0)`,
        engine: connect("AF_UNIX", '"/var/run/docker.sock"'),
      }),
    ).toEqual({
      tcp: "ENETUNREACH",
      metadata: "ENETUNREACH",
      bridge: "ENETUNREACH",
      ipv6: "ENETUNREACH",
      udp: "ENETUNREACH",
      raw: "EPERM",
      packet: "EPERM",
      netlink: "EPERM",
      vsock: "EPERM",
      alg: "EPERM",
      engine: "ENOENT",
    });
  });

  it("changes nothing outside /out and /tmp, and runs nothing from there", async () => {
    const write = (path: string): string => `open("${path}", "w")`;
    expect(
      await tryAll({
        root: write("/x"),
        etc: write("/etc/passwd"),
        plan: write("/work/plan.json"),
        beside: write("/work/x"),
        unlink: `os.unlink("/work/main.py")`,
        chmod: `os.chmod("/work/main.py", 0o777)`,
        dev: write("/dev/x"),
        sysctl: write("/proc/sys/kernel/hostname"),
        kernel_command: `open("/proc/cmdline").read()`,
        symbols: `open("/proc/kallsyms").read()`,
        device: `os.mknod("/out/sda", 0o60666, os.makedev(8, 0))`,
        own: `open("/out/ok", "w").close()`,
        exec_out: `\nopen("/out/p", "w").write("#!/bin/sh\\n")\nos.chmod("/out/p", 0o755)\nsubprocess.run(["/out/p"])`,
        exec_tmp: `\nopen("/tmp/p", "w").write("#!/bin/sh\\n")\nos.chmod("/tmp/p", 0o755)\nsubprocess.run(["/tmp/p"])`,
      }),
    ).toEqual({
      root: "EROFS",
      etc: "EROFS",
      plan: "EROFS",
      beside: "EROFS",
      unlink: "EROFS",
      chmod: "EROFS",
      dev: "EACCES",
      sysctl: "EROFS",
      kernel_command: "done ''",
      symbols: "done ''",
      device: "EPERM",
      own: "done None",
      exec_out: "EACCES",
      exec_tmp: "EACCES",
    });
  });

  it("cannot write what steers the kernel, where the kernel has it at all", async () => {
    const paths = ["/proc/sysrq-trigger", "/sys/fs/cgroup/x", "/sys/fs/cgroup/memory/release_agent", "/sys/kernel/uevent_helper"];
    const tried = await tryAll(Object.fromEntries(paths.map((path) => [path, `open("${path}", "w")`])));
    expect(Object.keys(tried)).toEqual(paths);
    for (const outcome of Object.values(tried)) expect(outcome).toMatch(/^(?:EROFS|EACCES|EPERM|ENOENT)$/);
  });

  // Numbers of system calls are those of x86-64.
  it.skipIf(process.arch !== "x64")("gets no system call that leads out", async () => {
    expect(
      await tryAll({
        mount: `syscall(165, b"x", b"/tmp", b"tmpfs", 0, None)`,
        unshare_user: `syscall(272, 0x10000000)`,
        clone_user: `syscall(56, 0x10000000 | 17, 0, 0, 0, 0)`,
        clone3: `syscall(435, None, 0)`,
        setns: `syscall(308, 0, 0)`,
        ptrace: `syscall(101, 0, 0, 0, 0)`,
        bpf: `syscall(321, 0, 0, 0)`,
        keyctl: `syscall(250, 0, 0)`,
        perf: `syscall(298, 0, 0, 0, 0, 0)`,
        userfaultfd: `syscall(323, 0)`,
        io_uring: `syscall(425, 1, 0)`,
        clock: `syscall(227, 0, 0)`,
        reboot: `syscall(169, 0, 0, 0, 0)`,
        kill_keeper: `os.kill(1, 9)`,
        become_root: `os.setuid(0)`,
      }),
    ).toEqual({
      mount: "EPERM",
      unshare_user: "EPERM",
      clone_user: "EPERM",
      clone3: "ENOSYS",
      setns: "EPERM",
      ptrace: "EPERM",
      bpf: "EPERM",
      keyctl: "EPERM",
      perf: "EPERM",
      userfaultfd: "EPERM",
      io_uring: "EPERM",
      clock: "EPERM",
      reboot: "EPERM",
      kill_keeper: "EPERM",
      become_root: "EPERM",
    });
  });

  it("leaves artefacts only as plain files with safe names", async () => {
    const bench = await openBench();
    const script = `
import os, json
json.dump({"x": 0.5}, open("/out/metrics.json", "w"))
os.link("/out/metrics.json", "/out/z-hard")
os.symlink("/etc/passwd", "/out/link")
os.symlink("/", "/out/folder")
os.mkfifo("/out/pipe")
for name in [b"__proto__", b"-rf", b"new\\nline", b"\\xff\\xfe", b"\\x1b[2J", b"back\\\\slash", b"plain"]: open(b"/out/" + name, "w").write("x")
open("/out/zz-sparse", "w").truncate(30 << 20)
os.chmod("/out/plain", 0o6777)
`;
    const result = await execute(bench, { script });
    expect(result).toMatchObject({ status: "completed", outcome: "met" });
    expect(result.artifacts.map(({ path }) => path)).toEqual(["-rf", "__proto__", "metrics.json", "plain", "zz-sparse"]);
    expect(result.refused_artifacts.map(({ reason }) => reason).toSorted()).toEqual([
      "it is a hard link",
      "it is a pipe",
      "it is a symbolic link",
      "it is a symbolic link",
      "the name has control characters or backslashes",
      "the name has control characters or backslashes",
      "the name has control characters or backslashes",
      "the name is not valid UTF-8",
    ]);
    await expectNothingLeft(bench.run);
  });

  it("finds nothing of the host or of hypo in its environment", async () => {
    const bench = await openBench();
    const result = await execute(bench, {
      script: `import os; print(sorted(os.environ)); print(sorted(os.listdir("/work")), os.getcwd(), os.uname().nodename)`,
    });
    expect(result.stdout_head).toBe(
      "['HOME', 'HOSTNAME', 'HYPO_SEED', 'HYPO_SEEDS', 'LC_ALL', 'OPENBLAS_NUM_THREADS', 'PATH', 'PYTHONDONTWRITEBYTECODE', 'PYTHONHASHSEED', 'SOURCE_DATE_EPOCH', 'TZ']\n" +
        "['main.py', 'plan.json'] /work sandbox\n",
    );
  });
});
