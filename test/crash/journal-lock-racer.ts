/**
 * One of many processes that want the lock of a folder: tries again and again, and while it holds the lock makes and
 * removes a file that must not exist, so that two holders at once show. Arguments: folder, how often to hold it.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HypoError } from "../../src/domain/errors.ts";
import { type Lock, takeLock } from "../../src/engine/journal/lock.ts";

const [folder = ".", times = "1"] = process.argv.slice(2);
const clock = { now: () => new Date(), monotonic: () => performance.now(), sleep: (ms: number) => sleep(ms) };
const mark = join(folder, "held");

for (let held = 0; held < Number(times);) {
  const lock = await tryLock();
  if (!lock) {
    await sleep(Math.random() * 4);
    continue;
  }
  writeFileSync(mark, String(process.pid), { flag: "wx" });
  await sleep(Math.random() * 3);
  rmSync(mark);
  held += 1;
  if (held < Number(times)) await lock.release();
  else process.kill(process.pid, "SIGKILL");
}

async function tryLock(): Promise<Lock | undefined> {
  try {
    return await takeLock(folder, { clock });
  } catch (error) {
    if (error instanceof HypoError && error.code === "run_locked") return undefined;
    throw error;
  }
}
