import { TextDecoder } from "node:util";

/** Bytes in which a page may declare its charset. */
const DECLARATION_BYTES = 4096;

/**
 * Decodes a text by, in this order: byte order mark, charset of the Content-Type header, declaration in the document
 * (meta element or XML declaration), valid UTF-8, windows-1252. Labels that nobody knows are passed over.
 */
export function decodeText(bytes: Uint8Array, headerCharset: string | undefined, mayDeclare: boolean): string {
  const declared = findBom(bytes) ?? openDecoder(headerCharset) ?? (mayDeclare ? openDecoder(findDeclaration(bytes)) : undefined);
  if (declared !== undefined) return declared.decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function findBom(bytes: Uint8Array): TextDecoder | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return new TextDecoder("utf-8");
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le");
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be");
  return undefined;
}

function findDeclaration(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES))
    .toString("latin1")
    .replace(/<!--[\s\S]*?-->/g, "");
  const label =
    /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1] ?? /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
  // A declaration that could be read as ASCII cannot be true about UTF-16 (HTML standard).
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label;
}

function openDecoder(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
