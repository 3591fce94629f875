import * as fc from "fast-check";
import type { Finding } from "../../../src/domain/finding.ts";
import { sampleFinding } from "../../support/samples.ts";

/** A finding with what a test does not care about filled in. */
export function makeFinding(over: Partial<Finding> = {}): Finding {
  return sampleFinding("f-0123456789", {
    title: "Caching halves the latency",
    statement: "A shared cache halves the median latency of reads.",
    run: "20261130-101500-does-caching-help-1a2b",
    created: "2026-11-30T10:20:00.000Z",
    ...over,
  });
}

/** Any text at all, half of it ASCII, with lone surrogates among the rest. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  const unit = fc.oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff));
  return fc.array(unit, { maxLength }).map((points) => String.fromCodePoint(...points));
}

/** Text with what breaks Markdown and YAML: fences, headings, markers, quotes, line ends, controls, lone surrogates. */
const nastyPiece = fc.constantFrom(
  "---",
  "\n---\n",
  "\n## Evidence\n",
  "# ",
  "\n```\n",
  "~~~",
  "\n> ",
  "<!-- ",
  "<script>",
  "\n<<<<<<< HEAD\n",
  "\n=======\n",
  "\n>>>>>>> other\n",
  "id: f-0000000000\n",
  "\r\n",
  "\r",
  "\u2028",
  "\u0000",
  "\u001b[31m",
  "\ufeff",
  "\ud800",
  '"',
  "'",
  "`",
  "\\",
  ": ",
  " #",
  "- ",
  "[a]: b",
  "\n\n",
  "\t",
  "    ",
  "Größe",
  "研究",
  "{ a: b }",
);

export const nastyText = fc.array(fc.oneof(nastyPiece, anyText(12)), { maxLength: 8 }).map((pieces) => pieces.join(""));

const evidence = fc.record({
  source: fc.oneof(nastyText, fc.stringMatching(/^[0-9a-f]{64}$/)),
  quote: nastyText,
  text_sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
  extractor: nastyText,
  start: fc.nat(),
  end: fc.nat(),
});

export const anyFinding: fc.Arbitrary<Finding> = fc.record({
  id: fc.oneof(
    fc.stringMatching(/^f-[0-9a-f]{10}$/),
    nastyText.filter((text) => text.trim() !== ""),
  ),
  type: fc.constantFrom("fact", "inference", "hypothesis", "counterargument", "experiment_result", "open_question"),
  status: fc.constantFrom("observed", "corroborated", "contested", "outdated"),
  title: nastyText,
  statement: nastyText,
  evidence: fc.array(evidence, { maxLength: 3 }),
  counterevidence: fc.array(evidence, { maxLength: 2 }),
  experiments: fc.array(nastyText, { maxLength: 2 }),
  limitations: fc.array(nastyText, { maxLength: 3 }),
  related: fc.array(fc.record({ kind: fc.constantFrom("supports", "contradicts", "refines"), to: nastyText }), { maxLength: 2 }),
  negative_result: fc.boolean(),
  run: nastyText,
  agent: nastyText,
  created: fc.constant("2026-11-30T10:20:00.000Z"),
});
