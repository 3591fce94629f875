import type { Evidence } from "../domain/finding.ts";
import type { ReferenceCheck } from "../domain/reference-check.ts";
import type { SourceRecord } from "../domain/source.ts";
import { seenText } from "./escape.ts";
import type { RecordIndex } from "./record-index.ts";
import type { Citation, QuoteView, Reference } from "./report-model.ts";
import { closeSupport } from "./support-closure.ts";

/** Numbers the sources and quotes of a run, and gives the marks that point to them. */
export interface Citations {
  /** Marks of what ids rest on: quotes where there are some, else the thing itself. */
  cite(ids: string[]): Citation[];
  citeQuotes(evidence: Evidence[]): Citation[];
  references: Reference[];
}

interface CitedSource {
  number: number;
  source: string;
  quotes: Map<string, CitedQuote>;
}

interface CitedQuote {
  /** Its place among the source's quotes, from 1. */
  position: number;
  evidence: Evidence;
  findings: Set<string>;
}

/** Sources are numbered as `first` (what the draft rests on) reaches them, then as the record's findings do. */
export function buildCitations(index: RecordIndex, first: string[], checks: ReadonlyMap<string, ReferenceCheck>): Citations {
  const cited = collectSources(index, first);
  const citeQuotes = (evidence: Evidence[]): Citation[] =>
    evidence.flatMap((item) => {
      const source = cited.get(item.source);
      const quote = source?.quotes.get(quoteKey(item));
      return source === undefined || quote === undefined ? [] : [citationOf(source, quote)];
    });
  const cite = (id: string): Citation[] => {
    const item = index.resolve(id);
    if (item === undefined) return [];
    if (item.kind === "source") return citeSource(cited.get(item.id));
    if (item.kind !== "finding") return [citeItem(id)];
    const marks = [...citeQuotes(item.finding.evidence), ...item.finding.experiments.map(citeItem)];
    return marks.length === 0 ? [citeItem(id)] : marks;
  };
  return {
    cite: (ids) => uniqueCitations(ids.flatMap(cite)),
    citeQuotes: (evidence) => uniqueCitations(citeQuotes(evidence)),
    references: Array.from(cited.values(), (source) => referenceOf(source, index.run.sources[source.source], checks.get(source.source))),
  };
}

function citeSource(source: CitedSource | undefined): Citation[] {
  return source === undefined ? [] : [{ label: `${source.number}`, anchor: `ref-${source.number}` }];
}

/** The mark of a finding, hypothesis, experiment or question: its id. */
export function citeItem(id: string): Citation {
  return { label: id, anchor: anchorOf(id) };
}

/** An id as the name of an anchor. */
export function anchorOf(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, "-");
}

function collectSources(index: RecordIndex, first: string[]): Map<string, CitedSource> {
  const cited = new Map<string, CitedSource>();
  const addSource = (source: string): CitedSource => {
    const known = cited.get(source) ?? { number: cited.size + 1, source, quotes: new Map() };
    cited.set(source, known);
    return known;
  };
  const closure = closeSupport(first, index);
  for (const finding of new Set([...closure.findings, ...index.run.findings])) {
    for (const evidence of [...finding.evidence, ...finding.counterevidence]) {
      const { quotes } = addSource(evidence.source);
      const quote = quotes.get(quoteKey(evidence)) ?? { position: quotes.size + 1, evidence, findings: new Set() };
      quote.findings.add(finding.id);
      quotes.set(quoteKey(evidence), quote);
    }
  }
  closure.sources.forEach(addSource);
  return cited;
}

function quoteKey({ start, end, text_sha256, quote }: Evidence): string {
  return `${text_sha256} ${start} ${end} ${quote}`;
}

/** `1` for a source's only quote, `1.2` for the second of several. */
function citationOf({ number, quotes }: CitedSource, { position }: CitedQuote): Citation {
  return quotes.size < 2
    ? { label: `${number}`, anchor: `ref-${number}` }
    : { label: `${number}.${position}`, anchor: `ref-${number}-${position}` };
}

/** Each mark once. */
export function uniqueCitations(citations: Citation[]): Citation[] {
  return Array.from(new Map(citations.map((citation) => [citation.label, citation])).values());
}

function referenceOf(cited: CitedSource, source: SourceRecord | undefined, check: ReferenceCheck | undefined): Reference {
  const retrieval = source?.retrievals.at(-1);
  const bibliography = source?.bibliography;
  return {
    number: cited.number,
    anchor: `ref-${cited.number}`,
    source: cited.source,
    title: seenText(bibliography?.title) ?? null,
    authors: (bibliography?.authors ?? []).filter((author) => seenText(author) !== undefined),
    published: bibliography?.published ?? null,
    doi: bibliography?.doi ?? null,
    arxiv: bibliography?.arxiv ?? null,
    url: retrieval?.final_url ?? null,
    retrieved: retrieval?.retrieved_at ?? null,
    check: check === undefined ? null : { status: check.status, retracted: check.retracted, remarks: check.remarks },
    quotes: Array.from(cited.quotes.values(), (quote) => quoteOf(cited, quote)),
  };
}

function quoteOf(cited: CitedSource, citedQuote: CitedQuote): QuoteView {
  const { quote, start, end, extractor, text_sha256 } = citedQuote.evidence;
  return { ...citationOf(cited, citedQuote), quote, start, end, extractor, text_sha256, findings: Array.from(citedQuote.findings) };
}
