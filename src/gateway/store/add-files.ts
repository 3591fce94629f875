import { readFile, realpath, stat } from "node:fs/promises";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { HypoError, messageOf } from "../../domain/errors.ts";
import { sniffMedia, unsupportedType } from "../extract/media-type.ts";
import { findClosedReason } from "../project/closed-paths.ts";
import { walkProject } from "../project/walk-project.ts";
import type { FetchedDocument } from "./describe-source.ts";

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** Tab, the line ends, and space. */
const BLANKS = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);

/**
 * The files that a path stands for: itself, or all open files below a folder; symbolic links in it are not followed, and
 * files that may hold secrets are left out.
 *
 * @throws HypoError `not_found` where nothing is there.
 */
export async function listFilesToAdd(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    throw new HypoError("not_found", `There is no file or folder ${path}.`, { hint: "Give a file, a folder, or an http or https URL." });
  }
  if (!found.isDirectory()) return [path];
  const files: string[] = [];
  for await (const file of walkProject({ absolute: await realpath(path), name: "." }, [])) files.push(file.absolute);
  return files;
}

/**
 * A file of the person's own as a document to keep.
 *
 * @throws HypoError `path_refused` for files that may hold secrets, `no_text` for empty ones, `too_large`, `unsupported_type`,
 *   `storage_failed`.
 */
export async function readFileToAdd(path: string, maxBytes: number, now: Date): Promise<FetchedDocument> {
  const closed = findClosedReason(basename(path));
  if (closed !== undefined)
    throw new HypoError("path_refused", `${path} is not added: ${closed}.`, { hint: "Give it another name if it holds none." });
  try {
    const found = await stat(path);
    // Opening a pipe waits for somebody to write to it, for ever.
    if (!found.isFile())
      throw new HypoError("unsupported_type", `${path} is no regular file.`, { hint: "Give a file, a folder, or a URL." });
    const { size } = found;
    if (size > maxBytes) {
      throw new HypoError(
        "too_large",
        `${path} has ${size.toLocaleString("en")} bytes, more than the ${maxBytes.toLocaleString("en")} allowed.`,
        {
          hint: "gateway.max_bytes sets the limit.",
        },
      );
    }
    const bytes = await readFile(path);
    if (isBlank(bytes)) throw new HypoError("no_text", `${path} is empty.`, { hint: "Write something in it first." });
    const url = pathToFileURL(await realpath(path)).href;
    const { mime, kind } = sniffMedia(undefined, bytes, url);
    if (kind === undefined) throw unsupportedType(path, mime);
    return { bytes, mime, retrieval: { url, final_url: url, retrieved_at: now.toISOString(), status: 200, backend: "file" } };
  } catch (error) {
    if (error instanceof HypoError) throw error;
    throw new HypoError("storage_failed", `Cannot read ${path}: ${messageOf(error)}.`, { hint: "Look at its permissions.", cause: error });
  }
}

/** True where nothing is there but a byte order mark and blanks. */
function isBlank(bytes: Uint8Array): boolean {
  const hasMark = BYTE_ORDER_MARK.every((byte, place) => bytes[place] === byte);
  return bytes.subarray(hasMark ? BYTE_ORDER_MARK.length : 0).every((byte) => BLANKS.has(byte));
}
