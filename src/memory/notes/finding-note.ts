import type { Evidence, Finding } from "../../domain/finding.ts";
import { cleanLine, inlineCode, listItem, proseOrQuote, quoteBlock } from "./markdown-safe.ts";
import { notePath } from "./note-path.ts";
import type { EvidenceRange, Folder, Note } from "./note.ts";
import { serialiseNote } from "./serialise-note.ts";

/** The note of a finding: path below memory/ and full text. The same finding gives the same bytes. Pure. */
export function noteForFinding(finding: Finding): { path: string; text: string } {
  return { path: notePath(folderOf(finding), finding.title, finding.id), text: serialiseNote(noteOf(finding)) };
}

function folderOf(finding: Finding): Folder {
  if (finding.type === "hypothesis") return "hypotheses";
  return finding.type === "open_question" ? "questions" : "findings";
}

function noteOf(finding: Finding): Note {
  const quotes = [...finding.evidence, ...finding.counterevidence];
  return {
    id: finding.id,
    type: finding.type,
    status: finding.status,
    title: titleOf(finding),
    created_by: finding.agent,
    run_id: finding.run,
    created: finding.created,
    language: "",
    negative_result: finding.negative_result,
    sources: [...new Set(quotes.map(({ source }) => source))],
    evidence: finding.evidence.map(rangeOf),
    counterevidence: finding.counterevidence.map(rangeOf),
    experiments: finding.experiments,
    related: finding.related.map(({ kind, to }) => ({ kind, to })),
    superseded_by: "",
    extra: {},
    preamble: "",
    sections: [
      { heading: "Statement", body: proseOrQuote(finding.statement) },
      { heading: "Evidence", body: finding.evidence.map(quoteOf).join("\n\n") },
      { heading: "Counterevidence", body: finding.counterevidence.map(quoteOf).join("\n\n") },
      { heading: "Limitations", body: finding.limitations.map(listItem).join("\n") },
    ],
  };
}

function titleOf(finding: Finding): string {
  return cleanLine(finding.title) || cleanLine(finding.statement).slice(0, 120).toWellFormed() || finding.type;
}

function rangeOf({ source, text_sha256, extractor, start, end }: Evidence): EvidenceRange {
  return { source, text_sha256, extractor, start, end };
}

function quoteOf({ source, quote, start, end }: Evidence): string {
  return `Source ${inlineCode(source)}, characters ${start} to ${end}:\n\n${quoteBlock(quote)}`;
}
