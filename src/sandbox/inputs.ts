import { HypoError } from "../domain/errors.ts";
import { canonicalJson, sha256 } from "../domain/hash.ts";
import type { ExecutionResult, TestPlan } from "../domain/experiment.ts";
import { foldedName, pathProblem } from "./file-names.ts";

const FILES_MAX = 2000;
const CODE_BYTES_MAX = 16 * 1024 * 1024;
const MTIME = new Date(1_700_000_000_000);

/** What an experiment finds under /work, by relative path. */
export type InputFiles = Map<string, Uint8Array>;

/**
 * The files of an execution: its code, the plan as plan.json, and the data under data/.
 *
 * @throws HypoError `refused` where a name is unsafe or taken, or the code is too large.
 */
export function collectInputs(request: {
  code: Record<string, string | Uint8Array>;
  data: Record<string, Uint8Array>;
  plan: TestPlan;
}): InputFiles {
  const files: InputFiles = new Map([["plan.json", Buffer.from(canonicalJson(request.plan))]]);
  const taken = new Set(["plan.json"]);
  const code = Object.entries(request.code).map(([path, text]): [string, Uint8Array] => [
    path,
    typeof text === "string" ? Buffer.from(text) : text,
  ]);
  const data = Object.entries(request.data).map(([name, bytes]): [string, Uint8Array] => [`data/${name}`, bytes]);
  if (code.some(([path]) => path === "data" || path.startsWith("data/")))
    throw refuse("data", "code cannot go under data/, where the plan's data files are");
  for (const [path, bytes] of [...code, ...data]) {
    const problem = pathProblem(path) ?? (taken.has(foldedName(path)) ? "the name is taken" : undefined);
    if (problem !== undefined) throw refuse(path, problem);
    taken.add(foldedName(path));
    files.set(path, bytes);
  }
  refuseFilesAsFolders(files);
  if (files.size > FILES_MAX) throw refuse("code", `there are ${files.size} files; at most ${FILES_MAX} are allowed`);
  const bytes = code.reduce((sum, [, content]) => sum + content.length, 0);
  if (bytes > CODE_BYTES_MAX) throw refuse("code", `the code has ${bytes} bytes; at most ${CODE_BYTES_MAX} are allowed`);
  return files;
}

function refuseFilesAsFolders(files: InputFiles): void {
  for (const path of files.keys()) {
    const above = foldersOf(path).find((folder) => files.has(folder));
    if (above !== undefined) throw refuse(path, `${above} is a file already`);
  }
}

function refuse(path: string, problem: string): HypoError {
  return new HypoError("refused", `The experiment's file ${JSON.stringify(path)} cannot be used: ${problem}.`, {
    hint: "Use relative paths of plain letters, digits, dots, dashes and folders, such as src/main.py.",
  });
}

/** The folders above a path, outermost first. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

export function describeInputs(files: InputFiles): ExecutionResult["files"] {
  return [...files]
    .map(([path, bytes]) => ({ path, size: bytes.length, sha256: sha256(bytes), mode: "0444" }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The inputs as a tar archive: owned by root, read-only, always the same bytes for the same files. */
export async function packInputs(files: InputFiles): Promise<NodeJS.ReadableStream> {
  const { pack } = await import("tar-stream");
  const archive = pack();
  const owner = { uid: 0, gid: 0, mtime: MTIME };
  for (const folder of listFolders(files)) archive.entry({ name: folder, type: "directory", mode: 0o555, ...owner });
  for (const [path, bytes] of files) archive.entry({ name: path, mode: 0o444, ...owner }, Buffer.from(bytes));
  archive.finalize();
  return archive;
}

/** How many files and folders the inputs are. */
export function countEntries(files: InputFiles): number {
  return files.size + listFolders(files).length;
}

function listFolders(files: InputFiles): string[] {
  return [...new Set([...files.keys()].flatMap(foldersOf))].toSorted();
}
