/** Runs the same program by `docker run --rm`, after one to warm up. Arguments: folder, times, at once. */
import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { COMMAND, IMAGE, LIMITS, PROGRAM, runAtOnce } from "../fixtures/experiment.ts";
import { handFigures } from "../harness/measure.ts";
import { median } from "../harness/statistics.ts";

const [folder = "", times = "", width = ""] = process.argv.slice(2);
const SECCOMP = fileURLToPath(new URL("../../src/sandbox/assets/seccomp.json", import.meta.url));
const UID = 64_000;

await run("warm-up");
const took = await runAtOnce(Number(times), Number(width), (index) => run(`x-${index}`));
handFigures({ roundMs: median(took) });

async function run(name: string): Promise<void> {
  const [work, out] = [join(folder, name, "work"), join(folder, name, "out")];
  for (const path of [work, out]) await mkdir(path, { recursive: true });
  await chmod(out, 0o777);
  await writeFile(join(work, "main.py"), PROGRAM);
  await promisify(execFile)("docker", ["run", "--rm", ...flags(work, out), IMAGE, ...COMMAND]);
  for (const file of await readdir(out)) await readFile(join(out, file));
  const { x } = JSON.parse(await readFile(join(out, "metrics.json"), "utf8")) as { x: number };
  if (!(x < 1)) throw new Error(`the metric came out as ${x}`);
}

/** Those of hypo's that the command has: it can neither share a keeper's processes nor bound the files under /out. */
function flags(work: string, out: string): string[] {
  const isolation = ["--network=none", "--read-only", "--cap-drop=ALL", "--ipc=private", "--cgroupns=private", "--no-healthcheck"];
  const security = ["--security-opt=no-new-privileges:true", `--security-opt=seccomp=${SECCOMP}`, `--user=${UID}:${UID}`];
  const memory = [`--memory=${LIMITS.memory}m`, `--memory-swap=${LIMITS.memory}m`, `--shm-size=${LIMITS.shm}m`];
  const limits = [`--pids-limit=${LIMITS.pids}`, `--cpus=${LIMITS.cpus}`, "--oom-score-adj=1000"];
  const ulimits = ["nofile=1024", `fsize=${LIMITS.output * 1024 * 1024}`, "core=0", "memlock=65536", "msgqueue=65536"];
  const places = ["--workdir=/work", `--volume=${work}:/work:ro`, `--volume=${out}:/out`, "--tmpfs=/tmp:rw,noexec,nosuid,nodev,size=64m"];
  const rest = ["--log-driver=none", "--stop-signal=SIGKILL", "--hostname=sandbox", "--entrypoint=", "--env=HYPO_SEED=0"];
  return [...isolation, ...security, ...memory, ...limits, ...ulimits.map((each) => `--ulimit=${each}`), ...places, ...rest];
}
