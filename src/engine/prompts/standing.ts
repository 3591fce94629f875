import type { Finding } from "../../domain/finding.ts";
import type { ExperimentRecord, RunState } from "../state/run-state.ts";

/** Most entries of each kind, where there is room for them. */
const MOST = { findings: 60, hypotheses: 30, experiments: 30, questions: 30, agents: 40 };
const LINE = 300;
/** Of a model's context, so much may go to a digest of what is known: an eighth, at three characters a token. */
const ROOM_PER_TOKEN = 3 / 8;

/** Characters that a digest may take in a prompt for a model. */
export function roomFor({ contextWindow }: { contextWindow: number }): number {
  return Math.max(2000, Math.floor(contextWindow * ROOM_PER_TOKEN));
}

/** A digest of what is known within so many characters, for prompts and for research_control status. */
export function describeStanding(state: RunState, room: number): string {
  return shrinkToFit(room, (share) => [...describeFindings(state, share), ...describeOthers(state, share)]);
}

/** The digest without findings, at most half of the room. */
export function describeRest(state: RunState, room: number): string {
  return shrinkToFit(room / 2, (share) => describeOthers(state, share));
}

/** Halves what is shown of each kind until all of it fits. */
function shrinkToFit(room: number, describe: (share: number) => string[]): string {
  for (let share = 1; ; share /= 2) {
    const text = describe(share).join("\n");
    if (text.length <= room || share < 1 / 32) return text;
  }
}

/** Every finding as one line that says what speaks against it, in the order of publishing. */
export function listFindingLines(state: RunState): string[] {
  const findings = [...state.findings.values()].map(({ finding }) => finding);
  const against = Map.groupBy(
    findings.flatMap(({ id, related }) => related.filter(({ kind }) => kind === "contradicts").map(({ to }) => ({ id, to }))),
    ({ to }) => to,
  );
  return findings.map((finding) => `- ${clip(findingLine(finding))}${contradictions(finding, against.get(finding.id) ?? [])}`);
}

function describeFindings(state: RunState, share: number): string[] {
  return [sectionOf("Findings", [...state.findings.values()], "findings", share, ({ finding }) => findingLine(finding))];
}

function describeOthers(state: RunState, share: number): string[] {
  const children = [...state.agents.values()].filter((agent) => agent.parent !== null);
  return [
    sectionOf(
      "Hypotheses",
      [...state.hypotheses.values()],
      "hypotheses",
      share,
      ({ id, state: at, statement }) => `${id} [${at}] ${statement}`,
    ),
    sectionOf("Experiments", [...state.experiments.values()], "experiments", share, experimentLine),
    sectionOf(
      "Questions",
      [...state.questions.values()],
      "questions",
      share,
      (each) => `${each.id} [${each.closed ? "closed" : "open"}] ${each.text}`,
    ),
    sectionOf("Agents", children, "agents", share, (agent) => `${agent.id} ${agent.spec.name}: ${agent.status}`),
    ...answeredGates(state, lineLength(share)),
  ];
}

function experimentLine({ id, author, plan, executions, reviews }: ExperimentRecord): string {
  const last = executions.at(-1)?.finished;
  const ran = last ? `${last.status}, criteria ${last.outcome}` : "not run";
  const verdicts = reviews.map((review) => review.verdict).join(", ");
  return `${id} by ${author}: ${plan.title}; ${ran}; ${verdicts ? `reviewed: ${verdicts}` : "not reviewed"}`;
}

function lineLength(share: number): number {
  return Math.max(80, Math.floor(LINE * Math.sqrt(share)));
}

function findingLine({ id, type, status, statement }: Finding): string {
  return `${id} [${type}, ${status}] ${statement}`;
}

function contradictions({ related }: Finding, against: { id: string }[]): string {
  const contradicted = related.filter(({ kind }) => kind === "contradicts").map(({ to }) => `contradicts ${to}`);
  const all = [...contradicted, ...against.map(({ id }) => `contradicted by ${id}`)].slice(0, 4);
  return all.length === 0 ? "" : ` (${all.join(", ")})`;
}

function answeredGates(state: RunState, length: number): string[] {
  const lines = [...state.gates.values()].flatMap(({ prompt, answer }) => {
    if (!answer) return [];
    const output = answer.output === undefined ? "" : ` ${clip(JSON.stringify(answer.output), length)}`;
    return [`- asked: ${clip(prompt, length)}; the person answered ${answer.event}${output}`];
  });
  return lines.length === 0 ? [] : [`Answers of the person:\n${lines.join("\n")}`];
}

function sectionOf<T>(title: string, items: T[], kind: keyof typeof MOST, share: number, line: (item: T) => string): string {
  if (items.length === 0) return `${title}: none.`;
  const most = Math.max(1, Math.floor(MOST[kind] * share));
  const left = items.length - most;
  const shown = items.slice(-most).map((item) => `- ${clip(line(item), lineLength(share))}`);
  return `${title}:\n${left > 0 ? `- (${left} earlier ones left out)\n` : ""}${shown.join("\n")}`;
}

function clip(text: string, length = LINE): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= length ? line : `${line.slice(0, length - 3)}...`;
}
