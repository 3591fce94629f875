import type { BatchResult } from "./batch-result.ts";

/**
 * Results as a JUnit report (the common subset that CI systems read): a test case a question. An answer that is not
 * reached is a failure, a run that failed an error, what was not run is skipped.
 */
export function renderJunit(name: string, results: readonly BatchResult[]): string {
  const cases = results.map((result) => ({ result, outcome: outcomeOf(result) }));
  const count = (outcome: Outcome): number => cases.filter((each) => each.outcome === outcome).length;
  const seconds = results.reduce((sum, result) => sum + result.elapsed_seconds, 0);
  const totals = attributes({
    name,
    tests: results.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
    time: seconds,
  });
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites>`,
    `  <testsuite${totals}>`,
    ...cases.flatMap(({ result, outcome }) => renderCase(name, result, outcome)),
    "  </testsuite>",
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

type Outcome = "passed" | "failure" | "error" | "skipped";

function outcomeOf({ reached, status }: BatchResult): Outcome {
  if (reached) return "passed";
  if (status === "failed") return "error";
  return status === "pending" || status === "skipped" || status === "interrupted" ? "skipped" : "failure";
}

function renderCase(suite: string, result: BatchResult, outcome: Outcome): string[] {
  const opening = `    <testcase${attributes({ classname: suite, name: result.id, time: result.elapsed_seconds })}>`;
  const message = describe(result);
  const inner = outcome === "passed" ? [] : [`      <${outcome}${attributes({ message })}/>`];
  const text = [
    result.question,
    ...(result.answer === null ? [] : [result.answer]),
    ...(result.run === null ? [] : [`hypo show ${result.run}`]),
  ];
  return [opening, ...inner, `      <system-out>${escape(text.join("\n"))}</system-out>`, "    </testcase>"];
}

function describe({ status, error, stop_reason: reason, detail, verdicts }: BatchResult): string {
  if (error) return `${error.code}: ${error.message}`;
  if (status === "answered") return `answered without a supported verdict (${verdicts.join(", ") || "no verdict"})`;
  return [status, reason, detail].filter((part) => part !== null).join(": ");
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escape(String(value)).replace(/\n/g, "&#10;")}"`)
    .join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text for XML 1.0, without the characters that it cannot hold. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
