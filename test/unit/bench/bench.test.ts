import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const BENCH = fileURLToPath(new URL("../../../bench/run.ts", import.meta.url));

async function bench(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [BENCH, ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

describe("npm run bench", () => {
  it("lists its rows by the names that it takes", async () => {
    const { code, stdout } = await bench("--list");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^journal +\S/m);
  });

  it.each([
    ["an unknown row", ["nothing"], /There is no row "nothing"; there are .*journal/],
    ["too few repetitions", ["--repetitions", "3", "journal"], /from 7 on/],
  ])("refuses %s before anything is measured", async (_, args, message) => {
    const { code, stderr } = await bench(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
