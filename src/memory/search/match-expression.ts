import type { Phrase, QueryPlan, Term } from "./plan-query.ts";

/** The FTS5 expression for what a note must hold; undefined where the plan asks for no word. */
export function matchExpression(plan: QueryPlan, terms: Term[]): string | undefined {
  const required = plan.required.map(phraseExpression);
  const optional = [...required, ...terms.map(termExpression)];
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
