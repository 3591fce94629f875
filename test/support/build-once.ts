import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Tests drive the real binary, so `dist/` is compiled once before them. */
export default function buildOnce(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url))], { stdio: "inherit" });
}
