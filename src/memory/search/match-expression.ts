import type { Phrase, QueryPlan, Term } from "./plan-query.ts";

/** The FTS5 expression for notes with any or every one of the terms, within what the plan requires; undefined for no word. */
export function matchExpression(plan: QueryPlan, terms: Term[], how: "OR" | "AND"): string | undefined {
  const required = plan.required.map(phraseExpression);
  const wantedTerms = terms.map((term) => `(${termExpression(term)})`).join(` ${how} `);
  const optional = [...required, ...(wantedTerms === "" ? [] : [`(${wantedTerms})`])];
  if (optional.length === 0) return undefined;
  const wanted = [...required, `(${optional.join(" OR ")})`].join(" AND ");
  const unwanted = excludedExpression(plan);
  return unwanted === undefined ? wanted : `(${wanted}) NOT (${unwanted})`;
}

/** The FTS5 expression for what a note must not hold. */
export function excludedExpression(plan: QueryPlan): string | undefined {
  const unwanted = [...plan.excluded.map(phraseExpression), ...plan.excludedPrefixes.map((prefix) => `${quote(prefix)} *`)];
  return unwanted.length === 0 ? undefined : unwanted.join(" OR ");
}

function termExpression({ tokens, prefix }: Term): string {
  const prefixes = prefix === undefined ? [] : [`${quote(prefix)} *`];
  return [...tokens.map(quote), ...prefixes].join(" OR ");
}

function phraseExpression(phrase: Phrase): string {
  return `({title body} : (${phrase.map((tokens) => quote(tokens.join(" "))).join(" OR ")}))`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
