import { standingExecution } from "../../domain/standing-execution.ts";
import type { Paint, Tone } from "../output/color.ts";
import { foreign, plainLine } from "../output/plain-text.ts";
import { ago, count, duration, money } from "../output/quantities.ts";
import { cut } from "../output/width.ts";
import { glyphOf } from "./agent-tree.ts";
import type { Digest } from "./digest.ts";

/**
 * A digest as lines for people. Everything that models wrote is made plain and cut.
 *
 * @param width columns a line may take
 * @param now epoch milliseconds
 */
export function digestLines(digest: Digest, width: number, now: number, paint: Paint): string[] {
  const line = (text: string): string => cut(text.trimEnd(), width);
  const state = paint(toneOfState(digest.state), digest.state);
  return [
    paint("strong", line(foreign(digest.question))),
    `${digest.run}  ${state}  ${ago(digest.created, now)}${digest.rehearsal ? "  (rehearsal: no real model)" : ""}`,
    ...branchLines(digest, line),
    ...outcomeLines(digest, line, paint),
    line(`Spend: ${spendOf(digest)}`),
    line(`Iterations: ${iterationsOf(digest)}; sources: ${digest.sources}`),
    ...section(
      "Agents",
      digest.agents.map((agent) => agentLine(agent, width)),
      digest.omitted.agents,
      paint,
    ),
    ...section(
      "Findings",
      digest.findings.map((each) => line2(each.id, `${each.status}: ${foreign(each.statement)}${quotes(each.quotes)}`, width)),
      digest.omitted.findings,
      paint,
    ),
    ...section(
      "Hypotheses",
      digest.hypotheses.map((each) => line2(each.id, `${each.state}: ${foreign(each.statement)}`, width)),
      digest.omitted.hypotheses,
      paint,
    ),
    ...section(
      "Experiments",
      digest.experiments.map((each) => line2(each.id, `${experimentState(each)}: ${foreign(each.title)}`, width)),
      digest.omitted.experiments,
      paint,
    ),
    ...section(
      "Questions",
      digest.questions.map((each) => line2(each.id, questionOf(each), width)),
      digest.omitted.questions,
      paint,
    ),
  ];
}

/** What has become of an experiment, in a few words. */
export function experimentState({ executions, reviews }: Digest["experiments"][number]): string {
  const verdict = reviews.at(-1);
  if (verdict) return verdict.disagrees ? `${verdict.verdict} (against the computed outcome)` : verdict.verdict;
  const execution = standingExecution(executions);
  if (!execution) return "registered";
  if (execution.status === "completed") return `completed, ${execution.outcome ?? "not evaluated"}, not reviewed`;
  return execution.status;
}

export function toneOfState(state: string): Tone {
  if (state === "completed") return "good";
  if (state === "failed" || state === "damaged") return "bad";
  if (state === "running" || state === "planning" || state === "starting") return "accent";
  return "warn";
}

/** Says nothing of a run that was never forked. */
function branchLines({ branch, branches, omitted }: Digest, line: (text: string) => string): string[] {
  if (branches.length <= 1 && branch === "main") return [];
  const others = branches.filter((each) => each.branch !== branch).map((each) => each.branch);
  const more = omitted.branches > 0 ? ` +${omitted.branches} more` : "";
  return [line(plainLine(`Branch: ${branch}${others.length > 0 ? `; others: ${others.join(", ")}${more}` : ""}`))];
}

function outcomeLines(digest: Digest, line: (text: string) => string, paint: Paint): string[] {
  const lines: string[] = [];
  const { stop, gate, report, problem } = digest;
  if (stop) lines.push(line(`${digest.state === "running" ? "Stopping" : "Stopped"}: ${stop.reason}: ${foreign(stop.detail)}`));
  if (problem !== null) lines.push(paint("bad", line(`Problem: ${foreign(problem)}`)));
  if (gate) {
    lines.push(paint("warn", line(`Waits for a person (gate ${gate.seq}): ${foreign(gate.prompt)}`)));
    for (const option of gate.options) lines.push(`  ${line(`${foreign(option.value)}: ${foreign(option.label)}`)}`);
  }
  if (digest.state === "interrupted")
    lines.push(`Continue: hypo resume ${digest.run}${digest.branches.length > 1 ? ` --branch ${digest.branch}` : ""}`);
  if (report !== null) lines.push(`Report: ${plainLine(report)}`);
  return lines;
}

function spendOf({ spend, elapsed_seconds }: Digest): string {
  const { budget } = spend;
  const held = spend.reserved_usd > 0 ? ` (and ${money(spend.reserved_usd)} reserved)` : "";
  const dollars = `${money(spend.usd)}${held} of ${budget.usd === null ? "no cap" : money(budget.usd)}`;
  const tokens = `${count(spend.tokens)} of ${count(budget.tokens)} tokens`;
  return `${dollars}, ${tokens}, ${duration(elapsed_seconds * 1000)} of ${duration(budget.hours * 3_600_000)}`;
}

function iterationsOf({ iterations }: Digest): string {
  const { closed, limit, without_progress: idle, without_progress_limit: idleLimit } = iterations;
  return `${closed} of ${limit}, ${idle} of ${idleLimit} without progress`;
}

function section(title: string, lines: readonly string[], omitted: number, paint: Paint): string[] {
  if (lines.length === 0) return [];
  const more = omitted > 0 ? [paint("dim", `  +${omitted} more`)] : [];
  return ["", paint("strong", title), ...lines, ...more];
}

function agentLine(agent: Digest["agents"][number], width: number): string {
  const why = agent.reason === null ? "" : `: ${foreign(agent.reason)}`;
  const facts = `${duration(agent.elapsed_seconds * 1000)}, ${count(agent.tokens)} tokens, ${money(agent.usd)}`;
  const text = `${glyphOf(agent.status)} ${plainLine(agent.id)} ${foreign(agent.name)} (${agent.status}${why}; ${facts})`;
  return cut(`${"  ".repeat(agent.depth + 1)}${text}`, width);
}

function line2(id: string, text: string, width: number): string {
  return cut(`  ${id}  ${text}`.trimEnd(), width);
}

function quotes(amount: number): string {
  return amount === 0 ? "" : ` [${amount} ${amount === 1 ? "quote" : "quotes"}]`;
}

function questionOf({ closed, text, answer }: Digest["questions"][number]): string {
  return closed ? `closed: ${foreign(text)}${answer === null ? "" : ` ${foreign(answer)}`}` : `open: ${foreign(text)}`;
}
