import type { ReportDraft } from "../../../src/domain/report-draft.ts";
import type { RunRecord } from "../../../src/domain/run-record.ts";
import { KNUTH, makeDraft, makeEvidence, makeExecution, makeExperiment, makeFinding, makePlan, makeReview, makeRun, makeSource } from "./run-records.ts";

/** What a model or page might send instead of words. */
export const HOSTILE = [
  "<script>alert(1)</script>",
  "</title></style><script>alert(1)</script>",
  "\"><svg onload=alert(1)>",
  "' onfocus='alert(1)' autofocus='",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
  "javascript:alert(1)",
  "{{constructor.constructor('alert(1)')()}}",
  "</a><img src=x onerror=alert(1)>",
  "<!-- comment",
  "# Heading\n\n## Another",
  "\n\n# Heading",
  "text\n===\n",
  "- item\n- item",
  "1. item",
  "> quote",
  "***",
  "--- ",
  "+ plus",
  "[click](https://evil.example)",
  "![pixel](https://evil.example/p.png)",
  "[ref]: https://evil.example",
  "[^1]: note",
  "https://evil.example/a?b=c",
  "_https://evil.example",
  "xhttp://evil.example",
  "www.evil.example",
  "someone@evil.example",
  "mailto:someone@evil.example",
  "<https://evil.example>",
  "&lt;script&gt; &#60;b&#62;",
  "**bold** _it_ ~~gone~~ `code` $x$",
  "```\ncode\n```",
  "`https://evil.example`",
  "a\\",
  "\\",
  "\\<b>x</b>",
  "\\`<b>x</b>\\`",
  "a | b \\| c \\\\| d",
  "https://evil.example/|a|b\\|c\\\\|d",
  "| a | b |\n| - | - |",
  "\u202egnp.exe\u2066",
  "\u001b[31mred\u001b[0m \u0007 \u0000 \u009b31m",
  "a\u2028b\u2029c\u200bd\ufeffe",
  "\ud800 lone",
  "constructor",
  "    indented code",
  "x\n\n    indented code",
];

/** A run and draft in which every foreign string is the given one. */
export function makeHostile(text: string): { run: RunRecord; draft: ReportDraft } {
  const run = makeRun({
    question: `Q ${text}`,
    findings: [
      makeFinding("f-1", {
        title: text,
        statement: text,
        limitations: [text],
        evidence: [makeEvidence(KNUTH, text)],
        counterevidence: [makeEvidence(KNUTH, text, 9)],
        agent: text,
      }),
      makeFinding("f-2", { type: "counterargument", statement: text, related: [{ kind: "contradicts", to: text }], negative_result: true }),
      makeFinding("f-3", { status: "hypothetical", statement: text }),
      makeFinding("f-4", { status: "rejected", statement: text }),
    ],
    hypotheses: [{ id: "h-1", statement: text, state: "testing", experiments: ["x-1"] }],
    questions: [{ id: text, text, closed: false, answer: undefined, by: [] }],
    experiments: [
      makeExperiment("x-1", {
        author: text,
        plan: {
          ...makePlan("h-1"),
          title: text,
          method: text,
          baseline: text,
          split: text,
          image: text,
          success_criterion: text,
          refutation_criterion: text,
          confounders: [text],
        },
        executions: [makeExecution({ status: "failed", reason: text, metrics: { [text]: text, merge: text } })],
        reviews: [makeReview("x-1", { reviewer: text, summary: text, limitations: [text], disagrees: true, disagreement_reason: text })],
      }),
    ],
    agents: [{ id: "root", parent: null, name: text, depth: 0, model: text, outcome: "failed", reason: text }],
    iterations: [{ iteration: 1, claim: text, reason: text }],
    models: { supervisor: text, subagent: text, thinking: text },
    stop: { reason: "method_error", detail: text },
    sources: { [KNUTH]: makeSource(KNUTH, { title: text, authors: [text, text], published: text, doi: text, arxiv: text }, text) },
  });
  const draft = makeDraft({
    answer: text,
    would_change: text,
    answer_supports: ["f-1"],
    limitations: [text],
    sections: [{ title: text, interpretation: text, claims: [{ text, supports: ["f-1"] }] }],
  });
  return { run, draft };
}
