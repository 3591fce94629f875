import { matchesGlob } from "node:path";

/** Longest pattern; a longer one is a mistake. */
const MAX_GLOB = 200;

/** True where a path (with `/`) matches a glob; one without `/` is about the file name alone, as in .gitignore. */
export function matchesPath(path: string, glob: string): boolean {
  if (glob.length > MAX_GLOB) return false;
  const subject = glob.includes("/") ? path : (path.split("/").at(-1) ?? path);
  return matchesGlob(subject, glob.replace(/^\.?\//, ""));
}
