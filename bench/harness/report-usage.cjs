// Loaded into every measured Node.js process: as it ends, it notes its processor time (us) and its peak memory (KiB).
const { appendFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

const { HYPO_BENCH_USAGE: path } = process.env;
if (isMainThread && path !== undefined) {
  process.once("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    appendFileSync(path, `${JSON.stringify({ cpu: userCPUTime + systemCPUTime, peak: maxRSS })}\n`);
  });
}
