import { joinMarkdown, safe, type Markdown } from "./escape.ts";
import { anchor, heading, list, marks, none, subItem } from "./markdown-parts.ts";
import type { Citation, HypothesisView } from "./report-model.ts";

/** Hypotheses with their states; an untested one says so and why. */
export function renderHypotheses(hypotheses: HypothesisView[]): Markdown[] {
  return [heading(2, "Hypotheses"), list(hypotheses.map(renderHypothesis), none("No hypothesis was stated."))];
}

function renderHypothesis(hypothesis: HypothesisView): Markdown {
  const state = hypothesis.untested ? safe`**Untested** (${hypothesis.state})` : safe`**${readable(hypothesis.state)}**`;
  const details = [
    ...(hypothesis.why_untested === null ? [] : [safe`Why: ${hypothesis.why_untested}`]),
    ...citeLine("Tests", hypothesis.experiments),
    ...citeLine("For", hypothesis.for),
    ...citeLine("Against", hypothesis.against),
  ];
  return safe`${anchor(hypothesis.anchor)}${state}: ${hypothesis.statement} (${hypothesis.id})${joinMarkdown(details.map(subItem), "")}`;
}

function citeLine(label: string, citations: Citation[]): Markdown[] {
  return citations.length === 0 ? [] : [safe`${label}: ${marks(citations)}`];
}

/** `partially_supported` as "Partially supported". */
function readable(state: string): string {
  return state.charAt(0).toUpperCase() + state.slice(1).replaceAll("_", " ");
}
