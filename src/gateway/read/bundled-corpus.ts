import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import type { Clock, SearchHit } from "../../domain/ports.ts";
import { parseTarget } from "../address-policy.ts";
import { kindOf, mimeOfName } from "../extract/media-type.ts";
import { cutPage } from "../search/narrowing.ts";
import type { SearchProvider } from "../search/provider.ts";
import { toSnippet } from "../search/provider.ts";
import type { PageSource } from "./page-source.ts";

/** A folder of pages that stands in for the web, as in the rehearsal of a run. */
export interface CorpusOptions {
  /** Origin of the pages' pseudo URLs, such as `https://rehearsal.hypo.example`. */
  origin: string;
  /** Folder with HTML, Markdown, text, JSON, CSV or PDF files; their paths are the paths of the URLs. */
  folder: string;
}

interface CorpusPage {
  url: string;
  title: string;
  text: string;
}

/** Serves search and reading from a folder, without network; URLs of other origins do not exist. */
export function bundledCorpus({ origin, folder }: CorpusOptions, clock: Clock): PageSource & SearchProvider {
  const base = new URL(origin).origin;
  let pages: Promise<CorpusPage[]> | undefined;

  return {
    name: "rehearsal",
    kinds: ["web", "papers", "encyclopedia"],
    narrows: [],
    pace: { concurrency: 4, intervalMs: 0 },
    async search(request) {
      const terms = termsOf(request.query);
      const ranked = (await (pages ??= readPages(base, folder)))
        .map((page) => ({ page, score: scorePage(page, terms) }))
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score || (a.page.url < b.page.url ? -1 : 1));
      const hits = ranked.map(({ page }) => toHit(page, terms));
      return { hits: cutPage(hits, request), warnings: [] };
    },
    async fetch(text, signal) {
      const url = parseTarget(text);
      const name =
        url.origin === base ? (await listFiles(folder)).find((file) => urlOf(base, file) === `${url.origin}${url.pathname}`) : undefined;
      if (name === undefined) {
        throw new HypoError("not_found", `${text} does not exist in the bundled pages.`, {
          hint: `Search first; only pages under ${base}/ can be read here.`,
        });
      }
      const bytes = await readFile(join(folder, name), { signal });
      const mime = mimeOfName(name) ?? "application/octet-stream";
      const at = { url: text, final_url: url.href, retrieved_at: clock.now().toISOString() };
      return { bytes, mime, kind: kindOf(mime), retrieval: { ...at, status: 200, backend: "rehearsal" } };
    },
  };
}

async function readPages(base: string, folder: string): Promise<CorpusPage[]> {
  const readable = (await listFiles(folder)).filter((name) => kindOf(mimeOfName(name) ?? "") !== "pdf");
  return await Promise.all(
    readable.map(async (name) => {
      const source = await readFile(join(folder, name), "utf8");
      const text = toPlainText(source, extname(name));
      const title = /<title[^>]*>([^<]*)<\/title>/i.exec(source)?.[1] ?? /^#\s+(.+)$/m.exec(source)?.[1] ?? name;
      return { url: urlOf(base, name), title: toSnippet(title), text };
    }),
  );
}

/** Relative paths of the files of known types, sorted. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && mimeOfName(entry.name) !== undefined)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted();
}

function urlOf(base: string, name: string): string {
  return new URL(name.split("/").map(encodeURIComponent).join("/"), `${base}/`).href;
}

function toPlainText(source: string, extension: string): string {
  if (!/^\.html?$/i.test(extension)) return source;
  return source.replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " ");
}

function termsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 2))];
}

/** How many terms a page has, in its title twice; more occurrences break ties. */
function scorePage({ title, text }: CorpusPage, terms: string[]): number {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const heading = new Set(termsOf(title));
  let score = 0;
  for (const term of terms) {
    const count = words.filter((word) => word === term).length;
    score += (count > 0 ? 1 + Math.log1p(count) / 10 : 0) + (heading.has(term) ? 2 : 0);
  }
  return score;
}

function toHit({ url, title, text }: CorpusPage, terms: string[]): SearchHit {
  const plain = text.replace(/\s+/g, " ").trim();
  const places = terms.map((term) => plain.toLowerCase().indexOf(term)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, plain.length) - 60);
  return { url, title, snippet: toSnippet(plain.slice(start, start + 300)), provider: "rehearsal" };
}
