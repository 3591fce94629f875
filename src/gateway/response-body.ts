import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib";
import { HypoError, messageOf, systemCodeOf } from "../domain/errors.ts";

/** More layers than any honest server uses. */
const MAX_CODINGS = 3;

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const decodeZlib = promisify(inflate);
const decodeRaw = promisify(inflateRaw);

const DECODERS: Record<string, Decode> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  // Servers send both zlib and bare deflate under this name; the first byte of zlib says "deflate" in its low half.
  deflate: (bytes, options) => (((bytes[0] ?? 0) & 0x0f) === 8 ? decodeZlib(bytes, options) : decodeRaw(bytes, options)),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/** What a request says it can decode. */
export const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

/**
 * All bytes of a body as they came over the wire.
 *
 * @throws HypoError `too_large` as soon as more than `maxBytes` have come.
 */
export async function collectBytes(body: AsyncIterable<Uint8Array>, maxBytes: number, onChunk: () => void): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    onChunk();
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Undoes every layer of Content-Encoding, last applied first; no layer may come to more than `maxBytes`.
 *
 * @throws HypoError `too_large`, `unsupported_type` for an unknown coding, `network_error` for broken data.
 */
export async function decodeBody(bytes: Uint8Array, contentEncoding: string, maxBytes: number): Promise<Uint8Array> {
  const codings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MAX_CODINGS) throw new HypoError("unsupported_type", `The body is encoded ${codings.length} times over.`);
  let decoded = bytes;
  for (const coding of codings.toReversed()) decoded = await decodeLayer(decoded, coding, maxBytes);
  return decoded;
}

async function decodeLayer(bytes: Uint8Array, coding: string, maxBytes: number): Promise<Uint8Array> {
  const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decode === undefined) throw new HypoError("unsupported_type", `The body has an unknown encoding${nameOf(coding)}.`);
  if (bytes.length === 0) return bytes;
  try {
    return await decode(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (systemCodeOf(error) === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    throw new HypoError("network_error", `The ${coding} body is broken (${messageOf(error)}).`, { hint: "Try again.", cause: error });
  }
}

/** A coding as a name, where it is one: a site may write anything there, and messages are read by models. */
function nameOf(coding: string): string {
  return /^[\w.+-]{1,20}$/.test(coding) ? ` "${coding}"` : "";
}

export function tooLarge(maxBytes: number): HypoError {
  return new HypoError("too_large", `The document is larger than ${maxBytes.toLocaleString("en")} bytes.`, {
    hint: "Read a smaller part or another source; gateway.max_bytes sets the limit.",
  });
}
