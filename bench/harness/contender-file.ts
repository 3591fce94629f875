import { fileURLToPath } from "node:url";
import { measureNode, type ProcessOptions } from "./measure.ts";
import type { Side } from "./row.ts";

/** Where a script of `bench/contenders/` lies. */
export function contenderFile(script: string): string {
  return fileURLToPath(new URL(`../contenders/${script}.ts`, import.meta.url));
}

/** A side that is such a script with its arguments. */
export function contender(name: string, script: string, args: readonly string[], options?: ProcessOptions): Side {
  return { name, run: () => measureNode([contenderFile(script), ...args], options) };
}
