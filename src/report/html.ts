import { experimentSection } from "./html-experiments.ts";
import { methodSection } from "./html-method.ts";
import { item, list, marks, quotesOf, section, statement, type Quotes } from "./html-parts.ts";
import { referenceSection } from "./html-references.ts";
import { POLICY, STYLE } from "./html-style.ts";
import { html, joinHtml, type Html } from "./html-text.ts";
import type { Citation, FindingView, HypothesisView, Objection, Report, Section, Statement } from "./report-model.ts";

/** The report as one HTML file: it loads nothing and runs nothing, also where no policy is enforced. */
export function renderHtml(report: Report): string {
  const quotes = quotesOf(report);
  const title = report.question.trim() === "" ? "Report" : report.question;
  const { html: page } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="hypo">
<title>${title}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<main id="main" tabindex="-1">
${opening(report, title, quotes)}
${report.sections.map((each) => draftedSection(each, quotes))}${evidenceSections(report.evidence, quotes)}${hypothesisSection(report.hypotheses, quotes)}${experimentSection(report.experiments, quotes)}${statementSection("Negative results", report.negative_results, "No negative result was published.", quotes)}${questionSection(report.open_questions, quotes)}${limitSection(report.limits)}${methodSection(report)}${referenceSection(report.references)}</main>
</body>
</html>
`;
  return page;
}

function opening(
  { rehearsal, opening: { answer, confidence, counts, reasons, would_change }, written_by, why_code }: Report,
  title: string,
  quotes: Quotes,
): Html {
  const basis = counts.whole_record ? "The record holds" : "The answer rests on";
  const banners = [
    ...(rehearsal
      ? ["Rehearsal: the model was a script that ships with hypo, so this report shows how a run works and answers nothing."]
      : []),
    ...(written_by === "code" ? [`This report was written by code from the run's record alone: ${why_code ?? ""}`] : []),
  ];
  return html`<h1>${title}</h1>
${banners.map((banner) => html`<p class="banner" role="note">${banner}</p>\n`)}<div class="answer"><p><strong>Answer.</strong> ${statement(answer, quotes)}</p>
<p><strong>Confidence: ${confidence}.</strong> ${basis}: ${reasons.join("; ")}.</p>
<p><strong>What would change it.</strong> ${would_change}</p></div>`;
}

function draftedSection({ title, interpretation, claims }: Section, quotes: Quotes): Html {
  const paragraphs = (interpretation ?? "").split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "");
  const reading = html`<blockquote><p class="note">Interpretation, not evidence:</p>${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}</blockquote>`;
  const stated = claims.length > 0 || paragraphs.length === 0 ? [statements(claims, "Nothing.", quotes)] : [];
  return section(title, [...stated, ...(paragraphs.length > 0 ? [reading] : [])]);
}

function statements(all: Statement[], empty: string, quotes: Quotes): Html {
  return list(
    all.map((each) => item(statement(each, quotes))),
    empty,
  );
}

function statementSection(title: string, all: Statement[], empty: string, quotes: Quotes): Html {
  return section(title, statements(all, empty, quotes));
}

function evidenceSections(evidence: Report["evidence"], quotes: Quotes): Html {
  const findings = (all: FindingView[], empty: string): Html =>
    list(
      all.map((each) => showFinding(each, quotes)),
      empty,
    );
  const objections = evidence.against.map((each) => showObjection(each, quotes));
  return joinHtml(
    [
      section("Evidence for", findings(evidence.for, "No finding was published.")),
      section("Evidence against", list(objections, "Nothing against the findings was published.")),
      ...(evidence.not_established.length > 0 ? [section("Not established", findings(evidence.not_established, ""))] : []),
      ...(evidence.withdrawn.length > 0 ? [section("Withdrawn", findings(evidence.withdrawn, ""))] : []),
    ],
    "",
  );
}

function showFinding(finding: FindingView, quotes: Quotes): Html {
  const { id, type, status, agent, limitations } = finding;
  const limits = limitations.map((limit) => item(html`Limit: ${limit}`));
  const about = html`<span class="about">(${id}: ${type}, ${status}, by ${agent})</span>`;
  return item(html`${statement(finding, quotes)} ${about}${limits.length === 0 ? html`` : list(limits, "")}`, finding.anchor);
}

function showObjection(objection: Objection, quotes: Quotes): Html {
  const { id, against } = objection;
  const target = against.length === 0 ? "" : `against ${against.join(", ")}`;
  const about = [against.includes(id) ? "" : id, target].filter((part) => part !== "").join(", ");
  return item(html`${statement(objection, quotes)} <span class="about">(${about})</span>`, objection.anchor);
}

function hypothesisSection(hypotheses: HypothesisView[], quotes: Quotes): Html {
  const cited = (label: string, citations: Citation[]): Html[] =>
    citations.length === 0 ? [] : [item(html`${label}: ${marks(citations, quotes)}`)];
  const items = hypotheses.map((each) => {
    const state = each.untested ? `Untested (${each.state})` : each.state.replaceAll("_", " ");
    const tone = each.state === "supported" ? "good" : each.state === "contradicted" ? "bad" : "about";
    const details = [
      ...(each.why_untested === null ? [] : [item(html`Why: ${each.why_untested}`)]),
      ...cited("Tests", each.experiments),
      ...cited("For", each.for),
      ...cited("Against", each.against),
    ];
    const head = html`<strong class="${tone}">${state}</strong>: ${each.statement} <span class="about">(${each.id})</span>`;
    return item(html`${head}${details.length === 0 ? html`` : list(details, "")}`, each.anchor);
  });
  return section("Hypotheses", list(items, "No hypothesis was stated."));
}

function questionSection(questions: Statement[], quotes: Quotes): Html {
  return section(
    "Open questions",
    list(
      questions.map((question) => item(statement(question, quotes), question.supports[0] ?? "")),
      "No question is open.",
    ),
  );
}

function limitSection(limits: Report["limits"]): Html {
  const items = limits.map(({ text, from }) => item(html`${text} <span class="about">(${from})</span>`));
  return section("Limits", list(items, "No limit was stated, which is itself a reason for care."));
}
