import type { SourceRecord } from "../../domain/source.ts";

const SPECIAL: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  "&": "\\&",
  "%": "\\%",
  $: "\\$",
  "#": "\\#",
  _: "\\_",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};

/** A source as a BibTeX entry; what it does not say of itself is left out. */
export function bibtexOf({ id, canonical, bibliography, retrievals }: SourceRecord): string {
  const { title, authors, published, doi, site } = bibliography;
  const latest = retrievals.at(-1);
  const fields: [name: string, value: string | undefined][] = [
    ["title", escape(title ?? canonical)],
    ["author", authors === undefined ? undefined : escape(authors.join(" and "))],
    ["year", published?.match(/\d{4}/)?.[0]],
    ["howpublished", site === undefined ? undefined : escape(site)],
    ["doi", doi],
    ["url", latest?.final_url.replace(/[{}\\]/g, encodeURIComponent)],
    ["urldate", latest?.retrieved_at.slice(0, 10)],
    ["note", `SHA-256 ${id}`],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}}`]));
  return `@misc{source-${id.slice(0, 12)},\n${lines.join(",\n")}\n}\n`;
}

function escape(text: string): string {
  return text.replace(/[\\{}&%$#_~^]/g, (character) => SPECIAL[character] ?? character).replace(/\s+/g, " ");
}
