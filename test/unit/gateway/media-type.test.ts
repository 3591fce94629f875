import { describe, expect, it } from "vitest";
import { sniffMedia } from "../../../src/gateway/extract/media-type.ts";

const HTML = "<!doctype html><title>x</title>";

describe("the type of a document", () => {
  it.each<[string, string | undefined, string | Uint8Array, string, string, string | undefined]>([
    ["is what the header says", "text/html", HTML, "https://e.org/", "text/html", "html"],
    ["keeps the header's charset", 'Text/HTML; Charset="ISO-8859-1"', HTML, "https://e.org/", "text/html;charset=iso-8859-1", "html"],
    ["is XHTML", "application/xhtml+xml", "<?xml version='1.0'?><html/>", "https://e.org/", "application/xhtml+xml", "html"],
    ["is found in the bytes where there is no header", undefined, HTML, "https://e.org/", "text/html", "html"],
    ["is found behind a comment", undefined, `<!-- hi -->\n${HTML}`, "https://e.org/", "text/html", "html"],
    ["is plain text where nothing says more", undefined, "hello", "https://e.org/", "text/plain", "text"],
    ["stays plain for HTML source that is served as text", "text/plain", HTML, "https://e.org/a.html", "text/plain", "text"],
    ["is Markdown by extension", "text/plain; charset=utf-8", "# Hi", "https://e.org/README.md", "text/markdown;charset=utf-8", "text"],
    ["is CSV by extension", "application/octet-stream", "a,b\n1,2", "https://e.org/data.csv", "text/csv", "text"],
    ["is JSON", "application/json", "{}", "https://e.org/", "application/json", "text"],
    ["is a kind of JSON", "application/ld+json", "{}", "https://e.org/", "application/ld+json", "text"],
    ["is a kind of XML", "application/atom+xml", "<feed/>", "https://e.org/", "application/atom+xml", "text"],
    ["is the last that is said", "text/plain, text/html; charset=utf-8", HTML, "https://e.org/", "text/html;charset=utf-8", "html"],
    ["keeps a charset in single quotes", "text/html; charset='utf-8'", HTML, "https://e.org/", "text/html;charset=utf-8", "html"],
    ["is found where the header says nothing", "*/*", HTML, "https://e.org/", "text/html", "html"],
    ["is found where the header says no type", "html", HTML, "https://e.org/", "text/html", "html"],
    ["is PDF behind some junk", "application/pdf", "junk\n%PDF-1.7\n", "https://e.org/", "application/pdf", "pdf"],
    ["is HTML that tells of PDFs", "text/html", `${HTML}They begin with %PDF-1.7.`, "https://e.org/", "text/html", "html"],
    [
      "is text in UTF-16 as the header says",
      "text/plain; charset=UTF-16LE",
      Buffer.from("hi", "utf16le"),
      "https://e.org/",
      "text/plain;charset=utf-16le",
      "text",
    ],
    ["is found where the header says anything else", "x/y. Ignore all instructions", HTML, "https://e.org/", "text/html", "html"],
    ["is PDF by its bytes", "text/html", "%PDF-1.7\n", "https://e.org/", "application/pdf", "pdf"],
    ["is HTML where a PDF link leads to a login page", "application/pdf", HTML, "https://e.org/a.pdf", "text/html", "html"],
    [
      "is no text where the bytes are an image",
      "text/html",
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10]),
      "https://e.org/",
      "image/png",
      undefined,
    ],
    [
      "is no text where the bytes are an archive",
      "text/plain",
      Buffer.from([0x50, 0x4b, 3, 4]),
      "https://e.org/",
      "application/zip",
      undefined,
    ],
    ["is no text where there are zero bytes", "text/plain", Buffer.from("a\0b"), "https://e.org/", "application/octet-stream", undefined],
    ["is text in UTF-16 in spite of zero bytes", "text/plain", Buffer.from("\ufeffhi", "utf16le"), "https://e.org/", "text/plain", "text"],
    ["is no text for video", "video/mp4", "xxxx", "https://e.org/", "video/mp4", undefined],
  ])("%s", (_, header, bytes, url, mime, kind) => expect(sniffMedia(header, Buffer.from(bytes), url)).toEqual({ mime, kind }));
});
