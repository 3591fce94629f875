import { TextDecoder } from "@exodus/bytes/encoding.js";
import chardet from "chardet";
import sniff from "html-encoding-sniffer";

/** Where a document may declare its own charset: in meta elements, in an XML declaration, or nowhere. */
export type Declaration = "html" | "xml" | "none";

/** Bytes in which a page may declare its charset; the standard's 1024 miss many real pages. */
const DECLARATION_BYTES = 4096;
/** Bytes that the detector looks at. */
const SAMPLE_BYTES = 32_768;
/** Below this confidence, of 100, a guess is worth less than the web's default. */
const SURE = 30;
/** Fewer bytes beyond ASCII say nothing of a language. */
const MIN_FOREIGN_BYTES = 12;
const FOREIGN = /[\x80-\xff]/;
const FALLBACK = "windows-1252";

/**
 * Decodes a text by, in this order: byte order mark, charset of the Content-Type header, declaration in the document,
 * valid UTF-8, detection from the bytes, windows-1252. Labels that nobody knows are passed over.
 */
export function decodeText(bytes: Uint8Array, headerCharset: string | undefined, declaration: Declaration): string {
  const declared = findDeclared(bytes, headerCharset, declaration);
  // The standard's replacement encoding stands for charsets that attacks were made of: as if nothing were declared.
  if (declared !== "" && declared.toLowerCase() !== "replacement") return new TextDecoder(declared).decode(bytes);
  return decodeStrictly(bytes, "utf-8") ?? decodeDetected(bytes) ?? new TextDecoder(FALLBACK).decode(bytes);
}

/** Empty where nothing is declared. */
function findDeclared(bytes: Uint8Array, headerCharset: string | undefined, declaration: Declaration): string {
  const transport = headerCharset === undefined ? {} : { transportLayerEncodingLabel: headerCharset };
  const scan = declaration === "xml" ? { xml: true } : { maxPrescanBytes: declaration === "html" ? DECLARATION_BYTES : 0 };
  // Without a declaration of its own, only the mark at the beginning of the bytes may count beside the header.
  const seen = declaration === "none" ? bytes.subarray(0, 3) : bytes;
  return sniff(seen, { ...transport, ...scan, defaultEncoding: "" });
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeDetected(bytes: Uint8Array): string | undefined {
  const sample = sampleForeign(bytes);
  if (sample.foreign < MIN_FOREIGN_BYTES) return undefined;
  for (const { name, confidence } of chardet.analyse(sample.bytes)) {
    if (confidence < SURE) return undefined;
    const text = name.startsWith("UTF-") ? undefined : decodeStrictly(bytes, name);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Words that are not ASCII alone: markup and an English beginning would outweigh them. */
function sampleForeign(bytes: Uint8Array): { bytes: Uint8Array; foreign: number } {
  const words = Buffer.from(bytes)
    .toString("latin1")
    .split(/[\s<>]+/)
    .filter((word) => FOREIGN.test(word));
  const sample = Buffer.from(words.join(" ").slice(0, SAMPLE_BYTES), "latin1");
  return { bytes: sample, foreign: sample.filter((byte) => byte >= 0x80).length };
}
