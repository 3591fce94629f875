import { duration, money } from "../output/quantities.ts";
import { plainLine } from "../output/plain-text.ts";
import type { BatchResult } from "./batch-result.ts";

const LONGEST_CELL = 300;

/** Results as a page of Markdown for people: totals, then a row a question. */
export function renderSummary(name: string, results: readonly BatchResult[]): string {
  const reached = results.filter((result) => result.reached).length;
  const usd = results.reduce((sum, result) => sum + result.usd, 0);
  const rows = results.map((result) => [
    result.id,
    result.reached ? "yes" : "no",
    result.status,
    result.question,
    result.error?.message ?? result.answer ?? result.detail ?? "",
    result.confidence ?? "",
    result.verdicts.join(", "),
    money(result.usd),
    duration(result.elapsed_seconds * 1000),
    result.run ?? "",
  ]);
  const header = ["id", "reached", "status", "question", "answer", "confidence", "verdicts", "cost", "time", "run"];
  return [
    `# ${cell(name)}`,
    "",
    `${reached} of ${results.length} questions reached an answer; ${money(usd)} spent.`,
    "",
    line(header),
    line(header.map(() => "---")),
    ...rows.map((row) => line(row.map(cell))),
    "",
  ].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Text of models and files that stays within its cell and is no markup. */
function cell(text: string): string {
  const plain = plainLine(text);
  const points = Array.from(plain);
  const short = points.length <= LONGEST_CELL ? plain : `${points.slice(0, LONGEST_CELL - 1).join("")}…`;
  return short.replace(/[\\`*_[\]<>|#~&!]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
}
