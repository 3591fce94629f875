import { HypoError } from "../../domain/errors.ts";

/** How text is derived from a document. */
export type MediaKind = "html" | "pdf" | "text";

export interface Media {
  /** MIME type as the bytes and the header say, with the header's charset where it named one. */
  mime: string;
  /** Undefined for types that no text is derived from. */
  kind: MediaKind | undefined;
}

const TEXT_TYPES = /^text\/|[+/](json|xml|x?-?yaml|x-ndjson|jsonl|toml|sql|x-tex|x-bibtex|x-research-info-systems|javascript|csv)$/;
const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"]);
const TYPE = /^[a-z0-9!#$&^_.+-]{1,40}\/[a-z0-9!#$&^_.+-]{1,100}$/;
/** Types that servers give to what they do not know. */
const VAGUE_TYPES = new Set([
  "",
  "application/octet-stream",
  "binary/octet-stream",
  "application/x-download",
  "application/force-download",
  "application/unknown",
  "unknown/unknown",
  "*/*",
]);
/** Types without text that `download` may keep, for the data of experiments. */
const DATA_TYPES = /^(application\/(zip|gzip|x-gzip|x-tar|x-xz|zstd|octet-stream|vnd\..+|x-hdf5?|x-netcdf|parquet|x-parquet)|image\/.+)$/;

const BY_EXTENSION: Record<string, string> = {
  html: "text/html",
  htm: "text/html",
  md: "text/markdown",
  markdown: "text/markdown",
  txt: "text/plain",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  json: "application/json",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  pdf: "application/pdf",
};

const SIGNATURES: [bytes: number[], mime: string][] = [
  [[0x50, 0x4b, 0x03, 0x04], "application/zip"],
  [[0x1f, 0x8b], "application/gzip"],
  [[0x89, 0x50, 0x4e, 0x47], "image/png"],
  [[0xff, 0xd8, 0xff], "image/jpeg"],
  [[0x47, 0x49, 0x46, 0x38], "image/gif"],
  [[0x28, 0xb5, 0x2f, 0xfd], "application/zstd"],
  [[0x50, 0x41, 0x52, 0x31], "application/vnd.apache.parquet"],
];

/** The type of a document from its Content-Type header, its first bytes and its URL. Bytes overrule the header. */
export function sniffMedia(contentType: string | undefined, bytes: Uint8Array, url: string): Media {
  const [declared = "", ...parameters] = lastOf((contentType ?? "").toLowerCase()).split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*["']?([\w.:-]+)["']?\s*$/.exec(parameter)?.[1])
    .find((name) => name !== undefined);
  const essence = chooseEssence(declared.trim(), charset?.startsWith("utf-16") === true, bytes, url);
  const kind = kindOf(essence);
  return { mime: charset === undefined || kind === undefined || kind === "pdf" ? essence : `${essence};charset=${charset}`, kind };
}

/** A header that is sent twice comes as one with a comma; the last one counts (WHATWG Fetch). */
function lastOf(contentType: string): string {
  return contentType.split(/,(?=\s*[\w*.+-]+\/)/).at(-1) ?? "";
}

/** The kind of a recorded MIME type. */
export function kindOf(mime: string): MediaKind | undefined {
  const [essence = ""] = mime.split(";");
  if (HTML_TYPES.has(essence)) return "html";
  if (essence === "application/pdf") return "pdf";
  return TEXT_TYPES.test(essence) ? "text" : undefined;
}

/** The charset that a recorded MIME type carries. */
export function charsetOf(mime: string): string | undefined {
  return /;charset=([\w.:-]+)$/.exec(mime)?.[1];
}

/** The MIME type of a file name; undefined where the extension says nothing. */
export function mimeOfName(name: string): string | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
}

/** The error of a type that cannot be read as text; `download` keeps data types nevertheless. */
export function unsupportedType(url: string, mime: string): HypoError {
  return new HypoError("unsupported_type", `${url} is ${mime}, which has no text to read.`, {
    hint: "Read a page about it, or download it as data where data is needed.",
  });
}

/** True for types that are stored without text. */
export function isDataType(mime: string): boolean {
  return DATA_TYPES.test(mime);
}

function chooseEssence(declared: string, isWide: boolean, bytes: Uint8Array, url: string): string {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  // What has not the form of a type says nothing, and is a text of the site's own, which must not pass for one.
  const isVague = VAGUE_TYPES.has(declared) || !TYPE.test(declared);
  // Some junk may come before a PDF; a page that says how PDFs begin is none.
  if (/^(\xef\xbb\xbf)?\s*%PDF-/.test(head) || (head.includes("%PDF-") && (isVague || declared === "application/pdf")))
    return "application/pdf";
  const binary = SIGNATURES.find(([signature]) => signature.every((byte, index) => bytes[index] === byte));
  if (binary !== undefined) return DATA_TYPES.test(declared) && declared !== "application/octet-stream" ? declared : binary[1];
  const wide = isWide || /^(\xff\xfe|\xfe\xff)/.test(head);
  if (head.includes("\0") && !wide) return DATA_TYPES.test(declared) ? declared : "application/octet-stream";
  const looksLikeHtml = /^(\xef\xbb\xbf)?\s*(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html|head|body)\b/i.test(head);
  if (isVague) return looksLikeHtml ? "text/html" : (mimeOfName(new URL(url).pathname) ?? "text/plain");
  if (declared === "application/pdf") return looksLikeHtml ? "text/html" : "text/plain";
  if (declared === "text/plain") return textTypeOfName(new URL(url).pathname);
  return declared;
}

/** Servers send Markdown, CSV and the like as text/plain; the extension says more. HTML source sent as plain text stays text. */
function textTypeOfName(path: string): string {
  const named = mimeOfName(path);
  return named !== undefined && kindOf(named) === "text" ? named : "text/plain";
}
