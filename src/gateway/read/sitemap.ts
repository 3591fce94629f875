import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { z } from "zod";

/** Most addresses taken from the sitemaps of a site, and most sitemaps read. */
const MAX_ADDRESSES = 1_000;
const MAX_SITEMAPS = 5;
/** Largest sitemap, unpacked (sitemaps.org allows 50 MB; a crawl needs its beginning at most). */
const MAX_BYTES = 10_000_000;

const Entry = z.object({ loc: z.string() });
const Document = z.object({
  urlset: z.object({ url: z.array(Entry).default([]) }).optional(),
  sitemapindex: z.object({ sitemap: z.array(Entry).default([]) }).optional(),
});

/** Gives the bytes at an address; undefined where there are none to be had. */
export type FetchBytes = (url: string) => Promise<Uint8Array | undefined>;

/** Page addresses on one host from its sitemaps and those they name, in their order, each once. */
export async function readSitemaps(sitemaps: readonly string[], host: string, fetch: FetchBytes): Promise<string[]> {
  const waiting = [...sitemaps];
  const met = new Set<string>();
  const pages = new Set<string>();
  for (let url = waiting.shift(); url !== undefined && met.size < MAX_SITEMAPS; url = waiting.shift()) {
    if (met.has(url) || URL.parse(url)?.host !== host) continue;
    met.add(url);
    const found = await parseSitemap(await fetch(url));
    waiting.push(...found.sitemaps);
    for (const page of found.pages) if (pages.size < MAX_ADDRESSES && URL.parse(page)?.host === host) pages.add(page);
  }
  return [...pages];
}

/** A sitemap or a sitemap index, plain or gzipped, as XML or as lines of text; what is neither names nothing. */
async function parseSitemap(bytes: Uint8Array | undefined): Promise<{ pages: string[]; sitemaps: string[] }> {
  const text = bytes === undefined ? "" : await unpack(bytes);
  if (!text.trimStart().startsWith("<")) {
    return { pages: text.split(/\s+/).filter((line) => /^https?:\/\//.test(line)), sitemaps: [] };
  }
  const { XMLParser } = await import("fast-xml-parser");
  const parser = new XMLParser({
    processEntities: false,
    removeNSPrefix: true,
    parseTagValue: false,
    isArray: (name) => name === "url" || name === "sitemap",
  });
  const parsed = Document.safeParse(tryParse(() => parser.parse(text) as unknown)).data;
  return { pages: addressesOf(parsed?.urlset?.url), sitemaps: addressesOf(parsed?.sitemapindex?.sitemap) };
}

function addressesOf(entries: z.infer<typeof Entry>[] | undefined): string[] {
  return (entries ?? []).map(({ loc }) => loc.trim().replaceAll("&amp;", "&"));
}

async function unpack(bytes: Uint8Array): Promise<string> {
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = packed
    ? await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES }).catch(() => new Uint8Array())
    : bytes.subarray(0, MAX_BYTES);
  return Buffer.from(plain)
    .toString("utf8")
    .replace(/^\ufeff/, "");
}

function tryParse(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
