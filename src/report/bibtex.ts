import { foldUnseen } from "./escape.ts";
import { describeCheck } from "./reference-facts.ts";
import type { Reference, Report } from "./report-model.ts";

/** `references.bib`: one entry a source, from its own metadata, with its hash and the ranges quoted from it. */
export function renderBibtex(report: Report): string {
  return `${report.references.map(renderEntry).join("\n\n")}${report.references.length > 0 ? "\n" : ""}`;
}

function renderEntry(reference: Reference): string {
  const { number, source, title, authors, published, doi, arxiv, url, retrieved, quotes, check } = reference;
  const ranges = quotes.map(({ start, end }) => `${start}--${end}`).join(", ");
  const note = [`SHA-256 ${source}`, ...(ranges === "" ? [] : [`quoted characters ${ranges}`]), ...describeCheck(check)].join("; ");
  const fields: [string, string | undefined][] = [
    ["title", title === null ? "{Untitled document}" : `{${escapeTex(title)}}`],
    ["author", authors.length === 0 ? undefined : authors.map(nameOf).join(" and ")],
    ["year", /\d{4}/.exec(published ?? "")?.[0]],
    ["date", /^\d{4}(?:-\d{2}(?:-\d{2})?)?/.exec(published ?? "")?.[0]],
    ["doi", doi === null ? undefined : verbatim(doi)],
    ["eprint", arxiv === null ? undefined : verbatim(arxiv)],
    ["archiveprefix", arxiv === null ? undefined : "arXiv"],
    ["url", url === null ? undefined : verbatim(url)],
    ["urldate", retrieved?.slice(0, 10).replaceAll(/[^\d-]/g, "")],
    ["note", escapeTex(note)],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}}`]));
  return `@misc{hypo-${number}-${source.slice(0, 8).replaceAll(/[^0-9a-z]/gi, "")},\n${lines.join(",\n")}\n}`;
}

/** One author; a name that holds "and" or a comma stays one name. */
function nameOf(author: string): string {
  const name = escapeTex(author);
  return /\band\b|,/i.test(name) ? `{${name}}` : name;
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
