import { relative, sep } from "node:path";
import type { Project } from "./project.ts";

/** `hypo` as it has to be called in a folder to work on the project: with `-C` where that is not the folder's own. */
export function hypoFor({ root }: Pick<Project, "root">, cwd: string): string {
  const fromRoot = relative(root, cwd);
  const isWithin = fromRoot !== ".." && !fromRoot.startsWith(`..${sep}`);
  return isWithin ? "hypo" : `hypo -C ${quoteForShell(relative(cwd, root))}`;
}

/** A word as a POSIX shell takes it. */
export function quoteForShell(word: string): string {
  return /^[\w./@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
