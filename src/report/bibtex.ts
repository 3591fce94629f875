import { foldUnseen } from "./escape.ts";
import { describeCheck } from "./reference-facts.ts";
import type { Reference, Report } from "./report-model.ts";

/** `references.bib`: one entry a source, from its own metadata, with its hash and the ranges quoted from it. */
export function renderBibtex(report: Report): string {
  return `${report.references.map((reference) => renderBibtexEntry(workOf(reference))).join("\n\n")}${report.references.length > 0 ? "\n" : ""}`;
}

/** What an entry says of one work; only what is there is written. */
export interface BibtexWork {
  key: string;
  title: string;
  authors: readonly string[];
  /** As the document gives it, which need not be a date. */
  published: string | undefined;
  doi: string | undefined;
  arxiv: string | undefined;
  site: string | undefined;
  url: string | undefined;
  /** ISO 8601. */
  retrieved: string | undefined;
  note: string;
}

/** A work as a `@misc` entry, in which text from models and pages ends no field and starts no command. */
export function renderBibtexEntry({ key, title, authors, published, doi, arxiv, site, url, retrieved, note }: BibtexWork): string {
  const fields: [string, string | undefined][] = [
    ["title", `{${escapeTex(title)}}`],
    ["author", authors.length === 0 ? undefined : authors.map(nameOf).join(" and ")],
    ["year", /\d{4}/.exec(published ?? "")?.[0]],
    ["date", dateOf(published ?? "")],
    ["howpublished", site === undefined ? undefined : escapeTex(site)],
    ["doi", doi === undefined ? undefined : verbatim(doi)],
    ["eprint", arxiv === undefined ? undefined : verbatim(arxiv)],
    ["archiveprefix", arxiv === undefined ? undefined : "arXiv"],
    ["url", url === undefined ? undefined : verbatim(url)],
    ["urldate", retrieved?.slice(0, 10).replaceAll(/[^\d-]/g, "")],
    ["note", escapeTex(note)],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}}`]));
  return `@misc{${key.replaceAll(/[^0-9a-z-]/gi, "")},\n${lines.join(",\n")}\n}`;
}

function workOf({ number, source, title, authors, published, doi, arxiv, url, retrieved, quotes, check }: Reference): BibtexWork {
  const ranges = quotes.map(({ start, end }) => `${start}--${end}`).join(", ");
  return {
    key: `hypo-${number}-${source.slice(0, 8)}`,
    title: title ?? "Untitled document",
    authors,
    published: published ?? undefined,
    doi: doi ?? undefined,
    arxiv: arxiv ?? undefined,
    site: undefined,
    url: url ?? undefined,
    retrieved: retrieved ?? undefined,
    note: [`SHA-256 ${source}`, ...(ranges === "" ? [] : [`quoted characters ${ranges}`]), ...describeCheck(check)].join("; "),
  };
}

/** One author; a name that holds "and" or a comma stays one name, and "others" is one too. */
function nameOf(author: string): string {
  const name = escapeTex(author);
  return /\band\b|,|^others$/i.test(name) ? `{${name}}` : name;
}

/** The year, month or day that a text begins with, where the calendar has it. */
function dateOf(text: string): string | undefined {
  const [date] = /^\d{4}(?:-\d{2}(?:-\d{2})?)?/.exec(text) ?? [];
  const moment = date === undefined ? undefined : new Date(date);
  return moment && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date ?? "") ? date : undefined;
}

const TEX: Record<string, string> = {
  "\\": String.raw`\textbackslash{}`,
  "{": String.raw`\textbraceleft{}`,
  "}": String.raw`\textbraceright{}`,
  "~": String.raw`\textasciitilde{}`,
  "^": String.raw`\textasciicircum{}`,
};

/** Text in which nothing is a command. Braces are written as symbols, since BibTeX counts them even when escaped. */
function escapeTex(text: string): string {
  return foldUnseen(text)
    .trim()
    .replaceAll(/[\\{}%&$#_^~]/g, (sign) => TEX[sign] ?? `\\${sign}`);
}

/** Fields that packages read to the letter: what could end the field or start a command is percent-encoded. */
function verbatim(text: string): string {
  return foldUnseen(text)
    .trim()
    .replaceAll(/[\\{}\s"^`]/g, (sign) => encodeURIComponent(sign));
}
