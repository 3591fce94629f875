import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { messageOf } from "../../domain/errors.ts";
import type { NoteProblem } from "./note.ts";

/** Far above what a note needs; a larger file is something else. */
const LARGEST_NOTE_BYTES = 2_000_000;

/** The bytes of a file that may be a note, or why they are not read. At once: waiting costs many times the reading of a small file. */
export function readNoteBytes(path: string, size: number): Buffer | NoteProblem {
  if (size > LARGEST_NOTE_BYTES) return { line: 1, message: `the file has ${size} bytes; a note has at most ${LARGEST_NOTE_BYTES}` };
  try {
    return readFileSync(path);
  } catch (error) {
    return { line: 1, message: `the file cannot be read: ${messageOf(error)}` };
  }
}

/** The text of a file, or the line that is not UTF-8 text. A byte order mark is dropped. */
export function decodeNote(bytes: Buffer): string | NoteProblem {
  if (!isUtf8(bytes)) return { line: lineOfBadByte(bytes), message: "the file is not UTF-8 text" };
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  const zero = text.indexOf("\0");
  return zero === -1 ? text : { line: text.slice(0, zero).split("\n").length, message: "the file holds a zero byte" };
}

/** No byte of a character in UTF-8 is a line feed, so that lines can be decoded one by one. */
function lineOfBadByte(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed;
    if (!isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
  return line;
}
