import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readSitemaps } from "../../../src/gateway/read/sitemap.ts";

const HOST = "e.org";
const urlset = (...paths: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>https://e.org${path}</loc></url>`).join("")}</urlset>`;
const index = (...names: string[]): string =>
  `<sitemapindex>${names.map((name) => `<sitemap><loc>https://e.org/${name}</loc></sitemap>`).join("")}</sitemapindex>`;

/** Reads sitemap.xml of a site with these files; paths are given without the origin. */
async function read(files: Record<string, string | Uint8Array>): Promise<{ paths: string[]; asked: string[] }> {
  const asked: string[] = [];
  const found = await readSitemaps(["https://e.org/sitemap.xml"], HOST, async (url) => {
    const name = url.replace("https://e.org/", "");
    asked.push(name);
    const file = files[name];
    return file === undefined ? undefined : Buffer.from(file);
  });
  return { paths: found.map((url) => url.replace("https://e.org", "")), asked };
}

describe("the pages that a sitemap names", () => {
  it.each<[string, string | Uint8Array, string[]]>([
    ["in their order, each once", urlset("/b", "/a", "/b"), ["/b", "/a"]],
    ["of one page alone", urlset("/a"), ["/a"]],
    ["of none", urlset(), []],
    ["packed with gzip", gzipSync(urlset("/a")), ["/a"]],
    ["behind a byte order mark", `\ufeff${urlset("/a")}`, ["/a"]],
    ["with a prefix before every element", urlset("/a").replace(/<(\/?)(url|loc)/g, "<$1s:$2"), ["/a"]],
    ["with white space around them", "<urlset><url><loc>\n  https://e.org/a\n</loc></url></urlset>", ["/a"]],
    ["with escaped ampersands", urlset("/a?x=1&amp;y=2"), ["/a?x=1&y=2"]],
    ["as CDATA", "<urlset><url><loc><![CDATA[https://e.org/a?x=1&y=2]]></loc></url></urlset>", ["/a?x=1&y=2"]],
    ["with dates, priorities and pictures", urlset("/a").replace("</loc>", "</loc><lastmod>2026</lastmod><image:image/>"), ["/a"]],
    ["as lines of text", "https://e.org/a\r\nhttps://e.org/b\n", ["/a", "/b"]],
    ["on this host alone", "https://e.org/a\nhttps://other.org/b\nhttp://e.org.evil.example/c\n", ["/a"]],
    ["but none that is no address", "<urlset><url><loc>javascript:alert(1)</loc></url><url><loc>/relative</loc></url></urlset>", []],
    ["but none of HTML", "<!doctype html><html><a href='https://e.org/a'>x</a></html>", []],
    ["but none of broken XML", "<urlset><url><loc>https://e.org/a", []],
    ["but none of a broken archive", Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), []],
    ["but none of a bomb", gzipSync(Buffer.concat([Buffer.from(urlset("/a")), Buffer.alloc(20_000_000, " ")])), []],
    ["but none of a nest of entities", `<!DOCTYPE x [<!ENTITY a "https://e.org/a">]><urlset><url><loc>&a;</loc></url></urlset>`, []],
  ])("are read %s", async (_, file, paths) => expect((await read({ "sitemap.xml": file })).paths).toEqual(paths));

  it("are at most a thousand", async () => {
    const many = Array.from({ length: 1_500 }, (_, page) => `/${page}`);
    expect((await read({ "sitemap.xml": urlset(...many) })).paths).toEqual(many.slice(0, 1_000));
  });

  it("are those of the sitemaps that an index names, too, five files in all", async () => {
    const names = ["1.xml", "2.xml", "3.xml", "4.xml", "5.xml"];
    const files = Object.fromEntries(names.map((name) => [name, urlset(`/${name}`)]));
    const { paths, asked } = await read({ ...files, "sitemap.xml": index(...names) });
    expect(asked).toEqual(["sitemap.xml", ...names.slice(0, 4)]);
    expect(paths).toEqual(names.slice(0, 4).map((name) => `/${name}`));
  });

  it("are read once where sitemaps name each other", async () => {
    const { asked } = await read({ "sitemap.xml": index("a.xml", "sitemap.xml"), "a.xml": index("sitemap.xml", "a.xml") });
    expect(asked).toEqual(["sitemap.xml", "a.xml"]);
  });

  it("are not looked for on other hosts", async () => {
    const elsewhere = "<sitemapindex><sitemap><loc>https://other.org/s.xml</loc></sitemap></sitemapindex>";
    expect((await read({ "sitemap.xml": elsewhere })).asked).toEqual(["sitemap.xml"]);
  });
});
