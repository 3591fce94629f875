import { sha256 } from "../../domain/hash.ts";
import type { Folder } from "./note.ts";

const LONGEST_SLUG_BYTES = 100;
const PLAIN_ID = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** `<folder>/<slug>-<id>.md` below memory/: under 200 bytes, valid on every system, distinct for distinct ids. */
export function notePath(folder: Folder, title: string, id: string): string {
  return `${folder}/${slugOfTitle(title)}-${fileId(id)}.md`;
}

/** True when a path is the one that hypo would choose for the id (whatever the title was then). */
export function isNamedAfter(path: string, id: string): boolean {
  return path.endsWith(`-${fileId(id)}.md`);
}

/** Letters and digits of any script in lower case; everything else becomes a dash. Cut at a character, never inside. */
function slugOfTitle(title: string): string {
  const words = title
    .toWellFormed()
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+/, "");
  let slug = "";
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter("und", { granularity: "grapheme" }).segment(words)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > LONGEST_SLUG_BYTES) break;
    slug += segment;
  }
  const trimmed = slug.replace(/-+$/, "");
  return trimmed === "" ? "note" : trimmed;
}

/** Ids of other forms (capitals, slashes, any length) go through a hash: file systems may fold case. */
function fileId(id: string): string {
  return PLAIN_ID.test(id) ? id : `x${sha256(id).slice(0, 16)}`;
}
