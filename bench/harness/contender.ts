import { fileURLToPath } from "node:url";

/** For scripts that the bench runs as processes of their own: hypo as it is built, and time. */

/** A module of `dist/` by its path below `src/`, with the types of its source. */
export async function importBuilt<Module>(path: string): Promise<Module> {
  return (await import(new URL(`../../dist/${path.replace(/\.tsx?$/, ".js")}`, import.meta.url).href)) as Module;
}

/** The program that people run. */
export const HYPO = fileURLToPath(new URL("../../bin/hypo.js", import.meta.url));

/** How long some work takes, in milliseconds. */
export async function timeOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
