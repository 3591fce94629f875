import { joinMarkdown, safe, type Markdown } from "./escape.ts";
import { anchor, heading, list, none, statement, subItem } from "./markdown-parts.ts";
import type { FindingView, Objection, Report } from "./report-model.ts";

/** Findings for, against, not established and withdrawn; the last two only where there are some. */
export function renderEvidence(evidence: Report["evidence"]): Markdown[] {
  return [
    heading(2, "Evidence for"),
    list(evidence.for.map(renderFinding), none("No finding was published.")),
    heading(2, "Evidence against"),
    list(evidence.against.map(renderObjection), none("Nothing against the findings was published.")),
    ...renderOptional("Not established", evidence.not_established),
    ...renderOptional("Withdrawn", evidence.withdrawn),
  ];
}

function renderOptional(title: string, findings: FindingView[]): Markdown[] {
  return findings.length === 0 ? [] : [heading(2, title), list(findings.map(renderFinding), none(""))];
}

function renderFinding(finding: FindingView): Markdown {
  const about = safe`${finding.id}: ${finding.type}, ${finding.status}, by ${finding.agent}`;
  const limits = finding.limitations.map((limit) => subItem(safe`Limit: ${limit}`));
  return safe`${anchor(finding.anchor)}${statement(finding)} (${about})${joinMarkdown(limits, "")}`;
}

function renderObjection(objection: Objection): Markdown {
  const { id, against } = objection;
  const target = against.length === 0 ? "" : `against ${against.join(", ")}`;
  const about = [against.includes(id) ? "" : id, target].filter((part) => part !== "").join(", ");
  return safe`${anchor(objection.anchor)}${statement(objection)} (${about})`;
}
