import { fileURLToPath } from "node:url";
import { measureNode, type ProcessOptions } from "./measure.ts";
import type { Side } from "./row.ts";

/** A side that is a script of `bench/contenders/` with its arguments. */
export function contender(name: string, script: string, args: readonly string[], options?: ProcessOptions): Side {
  const file = fileURLToPath(new URL(`../contenders/${script}.ts`, import.meta.url));
  return { name, run: () => measureNode([file, ...args], options) };
}
