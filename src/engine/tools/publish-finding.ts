import { z } from "zod";
import { HypoError } from "../../domain/errors.ts";
import { FindingStatus, FindingType, RelationKind, type Evidence, type Finding } from "../../domain/finding.ts";
import { sha256 } from "../../domain/hash.ts";
import { itemIdFor } from "../../domain/ids.ts";
import { countDifferentDocuments } from "../../domain/near-duplicate.ts";
import { findQuote, quoteProblem } from "../../domain/quotes.ts";
import { decideStatus } from "../decide/publish.ts";
import { event } from "../run-log.ts";
import { defineTool, refusal, say, type ToolCallContext } from "./tool.ts";

const Quote = z.strictObject({
  source: z.string().min(8).describe("source id"),
  quote: z.string().describe("copied word for word from its text"),
});

const Input = z.strictObject({
  type: FindingType,
  title: z.string().min(3).max(200),
  statement: z.string().min(10).max(4000).describe("one statement that can be true or false"),
  status: FindingStatus.optional(),
  evidence: z.array(Quote).max(20).default([]),
  counterevidence: z.array(Quote).max(20).default([]),
  experiments: z.array(z.string()).max(20).default([]).describe("experiment ids, for an experiment_result"),
  limitations: z.array(z.string().max(1000)).max(20).default([]),
  related: z
    .array(z.strictObject({ kind: RelationKind, to: z.string() }))
    .max(20)
    .default([]),
  negative_result: z.boolean().default(false),
});
type Input = z.output<typeof Input>;

const PREFIX = { hypothesis: "h", open_question: "q", fact: "f", inference: "f", counterargument: "f", experiment_result: "f" } as const;

export const publishFinding = defineTool({
  name: "publish_finding",
  description:
    "Publishes a finding, hypothesis, counterargument, experiment result or open question to the team's memory. Every quote is looked up in the stored text of its source; one that is not there word for word is refused.",
  input: Input,
  class: "reconcilable",
  async run(input, context) {
    const { run, agent, call } = context;
    const published = [...run.log.state.findings.values()].find((each) => each.call === call && each.finding.agent === agent)?.finding;
    const id = published?.id ?? itemIdFor(PREFIX[input.type], run.id, agent, call, run.course);
    const finding = published ?? (await checkFinding(input, id, context));
    if ("refused" in finding) return refusal(finding.refused);
    const note = run.ports.memory.noteFor(finding);
    if (!published) await recordFinding(finding, note, context);
    run.crashAt("finding.recorded");
    for (const source of sourcesOf(finding)) await run.ports.sources.keepText(source);
    await run.ports.memory.write(note);
    return say(`Published ${id} [${finding.type}, ${finding.status}]: ${finding.title}`);
  },
});

async function recordFinding(finding: Finding, note: { path: string; text: string }, { run, agent, call }: ToolCallContext): Promise<void> {
  const published = event("finding_published", { agent, call, finding, note: note.path, note_sha256: sha256(note.text) });
  const proposed = event("hypothesis_moved", { agent, hypothesis: finding.id, from: null, to: "proposed", because: finding.id });
  await run.log.record(published, ...(finding.type === "hypothesis" ? [proposed] : []));
}

async function checkFinding(input: Input, id: string, context: ToolCallContext): Promise<Finding | { refused: string }> {
  const { run, agent, began } = context;
  const evidence = await locateQuotes(input.evidence, context);
  const counterevidence = await locateQuotes(input.counterevidence, context);
  const independent = await countIndependent(evidence, context);
  const { type, status, experiments, related } = input;
  const decision = decideStatus(run.log.state, { type, status, evidence, experiments, related }, independent);
  if ("refused" in decision) return decision;
  for (const { to } of related) {
    if (!run.log.state.findings.has(to) && !(await run.ports.memory.read(to))) {
      return { refused: `related names ${to}, and there is no such finding. search_memory shows their ids.` };
    }
  }
  return {
    id,
    type,
    status: decision.status,
    title: input.title,
    statement: input.statement,
    evidence,
    counterevidence,
    experiments,
    limitations: input.limitations,
    related,
    negative_result: input.negative_result,
    run: run.id,
    agent,
    created: began,
  };
}

/** Finds every quote in the text derived from its source's stored bytes. */
async function locateQuotes(quotes: z.output<typeof Quote>[], context: ToolCallContext): Promise<Evidence[]> {
  return Promise.all(quotes.map((each) => locateQuote(each, context)));
}

async function locateQuote({ source: id, quote }: z.output<typeof Quote>, { run }: ToolCallContext): Promise<Evidence> {
  const source = await run.ports.sources.find(id);
  if (!source) throw new HypoError("refused", `There is no source ${id}.`, { hint: "Read the page with web_read first; it shows the id." });
  const text = await run.ports.sources.text(source.id);
  if (text === undefined || !source.text) throw new HypoError("refused", `Source ${id} has no text that could be quoted.`);
  const problem = quoteProblem(quote);
  if (problem !== undefined) throw new HypoError("refused", problem);
  const place = findQuote(text, quote);
  if (!place.found) {
    const hint = place.nearest
      ? `The nearest passage is: ${JSON.stringify(place.nearest.passage)}`
      : "Nothing in it is close. Read it again with read_artifact.";
    throw new HypoError("refused", `This quote does not stand in source ${id}: ${JSON.stringify(quote.slice(0, 200))}.`, { hint });
  }
  return {
    source: source.id,
    quote,
    text_sha256: source.text.sha256,
    extractor: source.text.extractor,
    start: place.start,
    end: place.end,
  };
}

/** Sources that are different documents: the same bytes, address or nearly the same text count once. */
async function countIndependent(evidence: Evidence[], { run }: ToolCallContext): Promise<number> {
  const ids = [...new Set(evidence.map((each) => each.source))];
  const documents = await Promise.all(
    ids.map(async (id) => ({ source: await run.ports.sources.find(id), text: (await run.ports.sources.text(id)) ?? "" })),
  );
  return countDifferentDocuments(documents.flatMap(({ source, text }) => (source ? [{ canonical: source.canonical, text }] : [])));
}

function sourcesOf(finding: Finding): Set<string> {
  return new Set([...finding.evidence, ...finding.counterevidence].map((each) => each.source));
}
