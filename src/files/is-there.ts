import { lstat } from "node:fs/promises";

/** Whether anything stands at a path: a link counts, wherever it leads. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
