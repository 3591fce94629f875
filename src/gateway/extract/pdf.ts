import { fileURLToPath } from "node:url";
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { HypoError, messageOf } from "../../domain/errors.ts";
import { findArxivId, findDoi } from "../store/identifiers.ts";
import type { DerivedText, DeriveJob } from "./derived-text.ts";
import { undoLineHyphens } from "./line-hyphens.ts";

/** Change the number with every change that can change a text. */
const EXTRACTOR = "pdf/3";
/** The identifiers of an article stand on its first page. */
const HEAD_CHARACTERS = 3_000;
/** Pages of a PDF without text that are asked why. */
const LOOKED_AT = 3;
/** What the characters of many Chinese, Japanese and Korean PDFs are. The library wants this slash on every system. */
const CMAPS = `${fileURLToPath(new URL("./assets/cmaps", import.meta.url))}/`;

/**
 * The text layer of a PDF, each page under a line `[page N]`.
 *
 * @throws HypoError `no_text` where there is no text layer, `unsupported_type` where the file is broken or locked.
 */
export async function deriveFromPdf(job: DeriveJob): Promise<DerivedText> {
  const { extractText, getDocumentProxy, getMeta, getResolvedPDFJS } = await import("unpdf");
  // The library takes the buffer away from its owner, so it gets a copy; verbosity 0 keeps it off the person's console.
  const document = await getDocumentProxy(job.bytes.slice(), { verbosity: 0, cMapUrl: CMAPS, cMapPacked: true }).catch(
    throwUnreadable(job.url),
  );
  const found = await extractText(document, { mergePages: false }).then(({ text }) => text.map(cleanPage), throwUnreadable(job.url));
  if (found.every((page) => page === "")) {
    const { OPS } = await getResolvedPDFJS();
    throw withoutText(job.url, found.length, await showsText(document, [OPS.showText, OPS.showSpacedText]));
  }
  const pages = undoLineHyphens(found);
  const { info } = await getMeta(document).catch(() => ({ info: {} }));
  const head = pages[0]?.slice(0, HEAD_CHARACTERS) ?? "";
  const title = readInfo(info, "Title");
  const author = readInfo(info, "Author");
  const arxiv = findArxivId(job.url) ?? findArxivId(/\barXiv:\s*\S+/.exec(head)?.[0] ?? "");
  const doi = findDoi(job.url) ?? findDoi(head);
  return {
    text: pages.map((page, index) => `[page ${index + 1}]\n${page}`).join("\n\n"),
    extractor: EXTRACTOR,
    bibliography: {
      ...(title === undefined ? {} : { title }),
      ...(author === undefined ? {} : { authors: author.split(/\s*[;,]\s*|\s+and\s+/).filter((name) => name !== "") }),
      ...(doi === undefined ? {} : { doi }),
      ...(arxiv === undefined ? {} : { arxiv }),
    },
    thin: false,
    warnings: pages.some((page) => page === "") ? ["Some pages of the PDF have no text layer."] : [],
  };
}

/** Whether pages write text all the same, in fonts whose characters nobody can tell. */
async function showsText(document: PDFDocumentProxy, operators: readonly number[]): Promise<boolean> {
  for (let number = 1; number <= Math.min(document.numPages, LOOKED_AT); number += 1) {
    const { fnArray } = await (await document.getPage(number)).getOperatorList();
    if (fnArray.some((operator) => operators.includes(operator))) return true;
  }
  return false;
}

function withoutText(url: string, pages: number, isWritten: boolean): HypoError {
  const why = isWritten ? "pages in fonts that do not say what their characters are" : "page images without a text layer";
  const hint = isWritten
    ? "Look for an HTML version or another PDF of it."
    : "Look for an HTML version or a PDF with text; scanned pages are not recognised.";
  return new HypoError("no_text", `${url} is a PDF of ${pages} ${why}.`, { hint });
}

function cleanPage(text: string): string {
  return text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function readInfo(info: object, name: string): string | undefined {
  const value: unknown = Object.hasOwn(info, name) ? (info as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 500) : undefined;
}

function throwUnreadable(url: string): (error: unknown) => never {
  return (error) => {
    throw new HypoError("unsupported_type", `${url} is a PDF that cannot be opened (${messageOf(error)}).`, {
      hint: "It may be broken or locked by a password. Look for another version.",
      cause: error,
    });
  };
}
