import { HypoError } from "../domain/errors.ts";

/**
 * For crash tests: a function that kills this process, as `kill -9` would, at the n-th time that the point named in
 * `HYPO_CRASH_AT=<point>[:<n>]` is reached. Does nothing where the variable is not set.
 */
export function makeCrashAt(setting: string | undefined): (point: string) => void {
  if (setting === undefined || setting === "") return () => undefined;
  const [point, count = "1"] = setting.split(":");
  let left = Number(count);
  if (!Number.isInteger(left) || left < 1) throw new HypoError("usage", `HYPO_CRASH_AT is <point>[:<n>], not ${JSON.stringify(setting)}.`);
  return (reached) => {
    if (reached !== point) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  };
}
