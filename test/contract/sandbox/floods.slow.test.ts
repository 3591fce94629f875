import { loadavg } from "node:os";
import { describe, expect, it } from "vitest";
import { execute, expectNothingLeft, openBench, withoutDocker, WRITE_METRICS, type Trial } from "./support/real-engine.ts";

async function run(trial: Trial) {
  const bench = await openBench();
  const result = await execute(bench, trial);
  await expectNothingLeft(bench.run);
  return result;
}

describe.skipIf(withoutDocker)("an experiment that floods", () => {
  it.each([
    ["stdout with lines", `import sys\nwhile True: sys.stdout.write("line\\n" * 10000)`],
    ["stderr without a newline", `import sys\nwhile True: sys.stderr.write("x" * 100000)`],
  ])("%s is ended at the limit of its output", async (_what, script) => {
    const result = await run({ script });
    expect(result).toMatchObject({ status: "output_limit", limits_hit: ["output"], outcome: "not_evaluable" });
    expect(result.stdout_bytes + result.stderr_bytes).toBeGreaterThan(64 * 1024 * 1024);
    expect(result.stdout_bytes + result.stderr_bytes).toBeLessThan(200 * 1024 * 1024);
  });

  it("the process table is held to its limit, and the machine stays responsive", async () => {
    const script = `import os, time\nend = time.time() + 60\nwhile True:\n  try: os.fork()\n  except OSError: pass`;
    const result = await run({ script, plan: { limits: { seconds: 3, pids: 32 } } });
    expect(result.status).toBe("timed_out");
    expect(loadavg()[0]).toBeLessThan(200);
  });

  it.each([
    ["/out", 32],
    ["/tmp", 64],
    ["/dev/shm", 16],
  ])("%s fills it and no more", async (folder, megabytes) => {
    const script = `
written = 0
try:
    for part in range(20):
        with open(f"${folder}/{part}", "wb", buffering=0) as f:
            while f.tell() < 8 << 20: written += f.write(b"x" * 65536)
except OSError as error:
    import errno; print(errno.errorcode[error.errno], written >> 20)
`;
    expect((await run({ script })).stdout_head).toMatch(new RegExp(`^ENOSPC ${megabytes}\n|^ENOSPC ${megabytes - 1}\n`));
  });

  it("the number of files ends at the inodes of its volume", async () => {
    const script = `
n = 0
try:
    while True: open(f"/out/{n}", "w").close(); n += 1
except OSError as error:
    import errno; print(errno.errorcode[error.errno], n)
`;
    expect((await run({ script })).stdout_head).toBe("ENOSPC 4095\n");
  });

  it("a sparse terabyte cannot even be made, by the limit on a file's size", async () => {
    const result = await run({ script: `open("/out/sparse", "w").truncate(1 << 40)` });
    expect(result.status).toBe("failed");
    expect(result.artifacts).toMatchObject([{ path: "sparse", size: 0 }]);
  });

  it("metrics.json without end is not read", async () => {
    const result = await run({ script: `f = open("/out/metrics.json", "w")\nfor i in range(200): f.write("[" * 100000)` });
    expect(result).toMatchObject({ status: "completed", metrics_problem: "metrics.json has 20000000 bytes; at most 1 MiB is read" });
  });

  it("memory through a child is told from its own death", async () => {
    const script = `
import subprocess, sys
child = subprocess.run([sys.executable, "-c", "b = []\\nwhile True: b.append(bytearray(1 << 20))"])
print(child.returncode)
${WRITE_METRICS}`;
    const result = await run({ script, plan: { limits: { memory_mb: 48 } } });
    expect(result).toMatchObject({ status: "completed", outcome: "met", limits_hit: ["memory"], stdout_head: "-9\n" });
  });

  it("with a daemon that holds stdout ends when its command does", async () => {
    const before = performance.now();
    const script = `import os, time\nif os.fork() == 0:\n  os.setsid()\n  time.sleep(100)\n${WRITE_METRICS}`;
    expect(await run({ script })).toMatchObject({ status: "completed", outcome: "met" });
    expect(performance.now() - before).toBeLessThan(30_000);
  });

  it("the engine with 24 experiments at 4 at once loses none and leaves nothing", async () => {
    const bench = await openBench({ experiment: { concurrency: 4 } });
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, index) => execute(bench, { script: `print(${index})\n${WRITE_METRICS}`, experiment: `x-${index}` })),
    );
    expect(results.map(({ status, stdout_head }) => `${status} ${stdout_head}`)).toEqual(results.map((_, index) => `completed ${index}\n`));
    await expectNothingLeft(bench.run);
  });
});
