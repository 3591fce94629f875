import type { Evidence } from "../../domain/finding.ts";
import { sha256 } from "../../domain/hash.ts";
import { findQuote } from "../../domain/quotes.ts";
import type { SourceTexts } from "./check-sources.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";
import type { Outcome } from "./outcome.ts";

/** Every quote is looked for again and must stand at the range that was recorded. */
export function checkQuotes(facts: EvidenceFacts, texts: SourceTexts, found: Outcome): void {
  const hashes = new Map([...texts].map(([id, text]) => [id, text === undefined ? undefined : sha256(text)]));
  for (const { data } of facts.of("finding_published")) {
    const { id, evidence, counterevidence } = data.finding;
    for (const each of [...evidence, ...counterevidence]) {
      found.checked.quotes += 1;
      const problem = quoteProblem(each, texts.get(each.source), hashes.get(each.source));
      if (problem !== undefined) found.add("quote_moved", `${id}, source ${each.source.slice(0, 12)}`, problem, [id]);
    }
  }
}

function quoteProblem(
  { quote, start, end, text_sha256 }: Evidence,
  text: string | undefined,
  hash: string | undefined,
): string | undefined {
  const shown = JSON.stringify(quote.slice(0, 120));
  if (text === undefined) return `The quote ${shown} cannot be checked, since the source's text is not to be had.`;
  if (hash !== text_sha256) return `The quote ${shown} was found in another text of this source (${text_sha256.slice(0, 12)}).`;
  const place = findQuote(text, quote);
  if (!place.found) return `The quote ${shown} does not stand in the source.`;
  if (place.start === start && place.end === end) return undefined;
  return `The quote ${shown} stands at ${place.start} to ${place.end}, and ${start} to ${end} was recorded.`;
}
