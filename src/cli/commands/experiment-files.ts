import { lstat, readdir, readFile } from "node:fs/promises";
import { isAbsolute, join, normalize, sep } from "node:path";
import { HypoError, messageOf } from "../../domain/errors.ts";

const FILES_MAX = 2000;
const BYTES_MAX = 16 * 1024 * 1024;

/**
 * Source files for an experiment, by the path they get under /work: the one they have below the current folder.
 * A folder stands for all files in it, except hidden ones.
 *
 * @throws HypoError `usage` for what cannot be one: a path that leads outside, a link, a device, bytes that are no text.
 */
export async function readSourceFiles(cwd: string, paths: readonly string[]): Promise<Record<string, string>> {
  const code: Record<string, string> = {};
  let bytes = 0;
  for (const path of paths) {
    for (const name of await listFiles(cwd, requireInside(path))) {
      const content = await readFile(join(cwd, name));
      bytes += content.length;
      if (bytes > BYTES_MAX || Object.keys(code).length >= FILES_MAX)
        throw unusable(path, `all files together may be ${FILES_MAX}, of ${BYTES_MAX} bytes`);
      code[name.split(sep).join("/")] = decodeText(name, content);
    }
  }
  return code;
}

function requireInside(path: string): string {
  const plain = normalize(path).replace(/[/\\]+$/, "");
  if (!isAbsolute(plain) && plain !== ".." && !plain.startsWith(`..${sep}`)) return plain;
  throw unusable(path, "it lies outside the current folder, and its place under /work is the one it has below that");
}

async function listFiles(cwd: string, name: string): Promise<string[]> {
  const found = await lstat(join(cwd, name)).catch((error: unknown) => {
    throw unusable(name, messageOf(error));
  });
  if (found.isFile()) return [name];
  if (!found.isDirectory()) throw unusable(name, "it is neither a file nor a folder");
  const below = (await readdir(join(cwd, name))).filter((each) => !each.startsWith(".")).toSorted();
  const lists = await Promise.all(below.map((each) => listFiles(cwd, join(name, each))));
  return lists.flat();
}

function decodeText(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw unusable(name, "it is not UTF-8 text; name binary files as data in the plan");
  }
}

function unusable(path: string, why: string): HypoError {
  return new HypoError("usage", `--file ${path} cannot be used: ${why}.`, { hint: "Example: --file main.py --file lib" });
}
