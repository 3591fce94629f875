import { z } from "zod";
import type { ReadDocument } from "../../domain/ports.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { sourceStored } from "../source-stored.ts";
import { windowOf, wrapUntrusted } from "./envelope.ts";
import { defineTool, say, type ToolCallContext } from "./tool.ts";

const SHOWN_CHARACTERS = 16_000;
const Url = z.string().min(4).max(4000).describe("http or https URL");

export const webSearch = defineTool({
  name: "web_search",
  description: "Searches the web, scholarly papers or an encyclopedia. Says which providers answered and why others did not.",
  input: z.strictObject({
    query: z.string().min(1).max(400),
    kind: z.enum(["web", "papers", "encyclopedia"]).default("web"),
    limit: z.int().min(1).max(25).default(8),
    page: z.int().min(1).max(10).default(1).describe("2 and more: further results of the same search"),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/)
      .optional()
      .describe("language of the results, such as de or pt-BR"),
    time_range: z.enum(["day", "month", "year"]).optional().describe("only what was published within the last day, month or year"),
  }),
  class: "rerunnable",
  async run(input, { run, signal }) {
    const answer = await run.ports.gateway.search({ ...input, signal });
    for (const warning of answer.warnings) run.say(warning);
    const asked = answer.asked.map(
      (each) => `${each.provider}: ${each.ok ? `${each.hits} results` : "no answer"}${each.note ? ` (${each.note})` : ""}`,
    );
    const hits = answer.hits.map((hit) => {
      const facts = [
        hit.authors?.slice(0, 6).join(", "),
        hit.journal,
        hit.published,
        hit.doi && `doi:${hit.doi}`,
        hit.pdf_url && `PDF ${hit.pdf_url}`,
        hit.retracted && "RETRACTED",
      ].filter(Boolean);
      return `${hit.title}\n  ${hit.url}\n  ${[...facts, hit.snippet.replace(/\s+/g, " ")].join("; ")}`;
    });
    const body = hits.length === 0 ? "No results." : wrapUntrusted(hits.join("\n"), { search: input.query }, run.id);
    return say(`${body}\nAsked: ${asked.join("; ") || "no provider"}.`);
  },
});

export const webRead = defineTool({
  name: "web_read",
  description:
    "Reads a page or document, keeps it as a source, and shows its text. Quotes for publish_finding must be copied word for word from this text; name the source by the id shown.",
  input: z.strictObject({
    url: Url,
    offset: z.int().min(0).default(0).describe("first character to show, for long documents"),
    refresh: z.boolean().default(false).describe("true: fetch again even if it was read before"),
  }),
  class: "rerunnable",
  async run({ url, offset, refresh }, context) {
    const document = await context.run.ports.gateway.read(url, { signal: context.signal, refresh });
    return say(await present(document, offset, context));
  },
});

export const webCrawl = defineTool({
  name: "web_crawl",
  description:
    "Reads several pages of one site, following its links from a start page; robots.txt is honoured. Each page becomes a source.",
  input: z.strictObject({ url: Url, pages: z.int().min(1).max(50).default(10), depth: z.int().min(0).max(5).default(2) }),
  class: "rerunnable",
  async run({ url, pages, depth }, context) {
    const crawl = await context.run.ports.gateway.crawl({ url, pages, depth, signal: context.signal });
    for (const document of crawl.documents) await recordSource(document.source, context);
    const read = crawl.documents.map(
      ({ source, text }) =>
        `${source.id.slice(0, 12)} ${source.retrievals.at(-1)?.final_url ?? url} ${text.length} characters: ${source.bibliography.title ?? "untitled"}`,
    );
    const skipped = crawl.skipped.slice(0, 20).map((each) => `${each.url}: ${each.reason}`);
    const parts = [`${read.length} pages read:`, ...read, ...(skipped.length ? ["Left out:", ...skipped] : [])];
    return say(`${wrapUntrusted(parts.join("\n"), { crawl: url }, context.run.id)}\nread_artifact with a source id shows its text.`);
  },
});

export const webBrowse = defineTool({
  name: "web_browse",
  description: "Has a real browser do a task on a page (click, type, scroll), where one is configured. The outcome becomes a source.",
  input: z.strictObject({ url: Url, task: z.string().min(3).max(2000) }),
  class: "at_most_once",
  async run({ url, task }, context) {
    return say(await present(await context.run.ports.gateway.browse(url, task, context.signal), 0, context));
  },
});

export const downloadSource = defineTool({
  name: "download_source",
  description:
    "Fetches a file and keeps its bytes as a source, for the data of an experiment or for reading later. Gives its id and SHA-256.",
  input: z.strictObject({ url: Url }),
  class: "reconcilable",
  async run({ url }, context) {
    const { source, text } = await context.run.ports.gateway.download(url, context.signal);
    await recordSource(source, context);
    return say(
      `Source ${source.id.slice(0, 12)}: ${source.mime}, ${source.size} bytes, sha256 ${source.id}. ${text === undefined ? "It has no text to quote." : "read_artifact shows its text."}`,
    );
  },
});

async function present(document: ReadDocument, offset: number, context: ToolCallContext): Promise<string> {
  await recordSource(document.source, context);
  const { source, text, warnings } = document;
  const { part, note } = windowOf(text, offset, SHOWN_CHARACTERS);
  const label = { source: source.id.slice(0, 12), url: source.retrievals.at(-1)?.final_url ?? "", title: source.bibliography.title ?? "" };
  return [`Source ${source.id.slice(0, 12)}. ${note}`.trim(), ...warnings, wrapUntrusted(part, label, context.run.id)].join("\n");
}

async function recordSource(source: SourceRecord, { run, agent }: ToolCallContext): Promise<void> {
  if (!run.log.state.sources.has(source.id)) await run.log.record(...sourceStored(agent, source));
}
