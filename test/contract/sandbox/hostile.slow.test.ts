import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { execute, expectNothingLeft, openBench, processesOf, withoutDocker, WRITE_METRICS } from "./support/real-engine.ts";

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
        engine_too: connect("AF_UNIX", '"/run/docker.sock"'),
        name: `socket.getaddrinfo("example.com", 80)`,
        interfaces: `[name for _, name in socket.if_nameindex()]`,
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
      engine_too: "ENOENT",
      name: "[Errno -2] Name or service not known",
      interfaces: "EPERM",
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
        replace: `os.rename("/work/main.py", "/work/plan.json")`,
        link_in: `os.symlink("/etc/passwd", "/work/data")`,
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
      replace: "EROFS",
      link_in: "EROFS",
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
        clock_too: `syscall(164, None, None)`,
        hostname: `socket.sethostname("x")`,
        chroot: `os.chroot("/tmp")`,
        open_by_handle: `syscall(304, 0, 0, 0)`,
        module: `syscall(175, 0, 0, 0)`,
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
      clock_too: "EPERM",
      hostname: "EPERM",
      chroot: "EPERM",
      open_by_handle: "EPERM",
      module: "EPERM",
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
    const kept = await stat(join(bench.folder, result.experiment, "executions/1/artifacts/plain"));
    expect(kept.mode & 0o7777).toBe(0o600);
    await expectNothingLeft(bench.run);
  });

  it("leaves a zip bomb as the small file that it is", async () => {
    const bench = await openBench();
    const script = `
import zipfile
with zipfile.ZipFile("/out/bomb.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for n in range(4): z.writestr(f"../{n}", bytes(32 << 20))
${WRITE_METRICS}`;
    const result = await execute(bench, { script });
    expect(result).toMatchObject({ status: "completed", outcome: "met", refused_artifacts: [] });
    expect(result.artifacts.map(({ path }) => path)).toEqual(["bomb.zip", "metrics.json"]);
    expect(result.artifacts[0]?.size).toBeLessThan(200_000);
    expect((await readdir(join(bench.folder, result.experiment, "executions/1/artifacts"))).toSorted()).toEqual([
      "bomb.zip",
      "metrics.json",
    ]);
    await expectNothingLeft(bench.run);
  });

  it("prints bytes that are no text and orders to a terminal, and they are shown as harmless signs", async () => {
    const bench = await openBench();
    const bytes = String.raw`b"\xff\xfe \x1b[2J\x1b]0;title\x07 \x00 \xe2\x80\xae end\r\n"`;
    const result = await execute(bench, { script: `import sys; sys.stdout.buffer.write(${bytes}); sys.stderr.buffer.write(${bytes})` });
    const shown = "\ufffd\ufffd \ufffd[2J\ufffd]0;title\ufffd \ufffd \ufffd end\n";
    expect([result.stdout_head, result.stderr_head]).toEqual([shown, shown]);
    expect(result).toMatchObject({ status: "completed", stdout_bytes: 29, stderr_bytes: 29 });
    await expectNothingLeft(bench.run);
  });

  it("sees no process but its keeper and its own, and no file of hypo or of the person", async () => {
    const bench = await openBench();
    const script = `
import os, sys
names = [open(f"/proc/{pid}/comm").read().strip() for pid in sorted(os.listdir("/proc")) if pid.isdigit()]
print(sorted(names))
print([os.path.exists(path) for path in ${JSON.stringify([bench.folder, fileURLToPath(import.meta.url), "/host", "/rootfs"])}])
sys.path.insert(0, ${JSON.stringify(bench.folder)})
try: import index
except ImportError as error: print(type(error).__name__)
print(any(${JSON.stringify(bench.folder)} in line for line in open("/proc/self/mountinfo")))
`;
    const result = await execute(bench, { script });
    expect(result).toMatchObject({ status: "completed", stderr_head: "" });
    expect(result.stdout_head).toBe("['docker-init', 'python3', 'sleep']\n[False, False, False, False]\nModuleNotFoundError\nFalse\n");
    await expectNothingLeft(bench.run);
  });

  it("starts programs that try to outlive it, and none of them does", async () => {
    const bench = await openBench();
    const script = `
import os, time
for n in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: time.sleep(1000)
        os._exit(0)
${WRITE_METRICS}`;
    const result = await execute(bench, { script });
    expect(result).toMatchObject({ status: "completed", outcome: "met" });
    expect(await processesOf(Number(result.environment["uid"]))).toEqual([]);
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
