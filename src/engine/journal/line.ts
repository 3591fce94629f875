import { crc32 } from "node:zlib";
import { HypoError, messageOf } from "../../domain/errors.ts";
import type { JournalRecord } from "../../domain/events.ts";

const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;
const CRC_OPENS = ',"crc":"';
const CRC_CLOSES = '"}';
const CRC_LENGTH = CRC_OPENS.length + 8 + CRC_CLOSES.length;

/** What a line says, or what is wrong with it. */
export type DecodedLine = { ok: true; value: { v?: unknown } } | { ok: false; problem: string };

/**
 * A record as its line: JSON with the check sum as its last member, and a newline. `text` is the JSON that the sum
 * covers.
 *
 * @throws HypoError `internal` for data that JSON cannot hold.
 */
export function encodeRecord(record: JournalRecord): { text: string; line: string } {
  const text = toJson(record);
  return { text, line: `${text.slice(0, -1)}${CRC_OPENS}${crcOf(text)}${CRC_CLOSES}\n` };
}

/**
 * Reads the line in `bytes[start, end)`, newline left out. Overwrites the comma before the check sum with a closing
 * brace, so that what the sum covers lies in one piece: 1 M lines are read without copying any of them.
 */
export function decodeLine(bytes: Buffer, start: number, end: number): DecodedLine {
  const cut = end - CRC_LENGTH;
  const tail = cut > start ? bytes.toString("latin1", cut, end) : "";
  if (!tail.startsWith(CRC_OPENS) || !tail.endsWith(CRC_CLOSES)) return { ok: false, problem: "it does not end with a check sum" };
  bytes[cut] = CLOSING_BRACE;
  const covered = bytes.subarray(start, cut + 1);
  if (crcOf(covered) !== tail.slice(CRC_OPENS.length, -CRC_CLOSES.length)) return { ok: false, problem: "its check sum does not match" };
  try {
    return { ok: true, value: JSON.parse(covered.toString()) as { v?: unknown } };
  } catch (error) {
    return { ok: false, problem: `it is not JSON (${messageOf(error)})` };
  }
}

/** The end of the line that starts at `start`, or -1 where it is not terminated. */
export function endOfLine(bytes: Buffer, start: number): number {
  return bytes.indexOf(NEWLINE, start);
}

/** CRC-32 (ISO-HDLC, as in zlib and PNG) of the UTF-8 bytes: 8 lower-case hexadecimal digits. */
function crcOf(data: string | Buffer): string {
  return crc32(data).toString(16).padStart(8, "0");
}

function toJson(record: JournalRecord): string {
  try {
    return JSON.stringify(record);
  } catch (error) {
    throw new HypoError("internal", `A journal record cannot be written as JSON: ${messageOf(error)}.`, { cause: error });
  }
}
