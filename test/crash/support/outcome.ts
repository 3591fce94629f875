import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Fact } from "../../../src/domain/events.ts";
import { Journal } from "../../../src/engine/journal/journal.ts";
import { evolve } from "../../../src/engine/state/evolve.ts";
import { emptyLedger, evolveLedger } from "../../../src/engine/state/ledger.ts";
import { emptyRunState } from "../../../src/engine/state/run-state.ts";
import type { Project } from "../../support/hypo.ts";
import type { RunFolder } from "../../support/run-folder.ts";

/** What a run came to, once everything that holds of every run has been checked. */
export async function soundOutcome({
  project,
  run,
}: {
  project: Project;
  run: () => Promise<RunFolder>;
}): Promise<Record<string, unknown>> {
  const folder = await run();
  await expectSound(project, folder);
  return outcomeOf(project, folder);
}

/**
 * What a run came to, without what differs between two runs of the same script: times, and ids (which hold the run's
 * own id). Two runs are alike when their outcomes are equal.
 */
async function outcomeOf(project: Project, run: RunFolder): Promise<Record<string, unknown>> {
  const facts = await run.facts();
  const state = emptyRunState();
  for (const fact of facts) evolve(state, fact);
  const findings = [...state.findings.values()].map(({ finding }) => finding);
  const outcome = {
    findings: findings
      .map(({ agent, type, status, title, statement, evidence }) => ({ agent, type, status, title, statement, evidence }))
      .toSorted(byText),
    notes: (await project.notes()).length,
    hypotheses: [...state.hypotheses.values()].map(({ statement, state: verdict }) => ({ statement, verdict })),
    questions: [...state.questions.values()].map(({ text, closed, answer }) => ({ text, closed, answer })),
    experiments: [...state.experiments.values()].map(({ author, plan, executions, reviews }) => ({
      author,
      title: plan.title,
      // One that was cut short with hypo is followed by the one that counts.
      executions: executions
        .filter(({ finished }) => finished?.status !== "interrupted" && finished?.status !== "cancelled")
        .map(({ agent, finished }) => ({ agent, status: finished?.status, outcome: finished?.outcome, metrics: finished?.metrics })),
      reviews: reviews.map(({ reviewer, verdict, outcome }) => ({ reviewer, verdict, outcome })),
    })),
    agents: [...state.agents.values()].map(({ id, status, result, spec }) => ({ id, status, result, name: spec.name })).toSorted(byText),
    reports: [...state.agents.values()].flatMap((agent) => agent.reports.map(({ message }) => ({ from: agent.id, message }))),
    messages: facts.flatMap((fact) => (fact.type === "agent_steered" && fact.data.mode === "steer" ? [fact.data.message] : [])),
    iterations: state.iterations.map(({ claim, reason, progress }) => ({ claim, reason, progress })),
    finish: state.finish,
    report: await reportOf(run),
  };
  return JSON.parse(JSON.stringify(outcome).replaceAll(/\b([fhqx])-[0-9a-f]{10}\b/g, "$1-id")) as Record<string, unknown>;
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

async function reportOf(run: RunFolder): Promise<unknown> {
  const report = (await run.reportJson()) as {
    written_by: string;
    opening: { answer: { text: string } };
    sections: { claims: { text: string }[] }[];
  };
  return {
    by: report.written_by,
    answer: report.opening.answer.text,
    claims: report.sections.flatMap(({ claims }) => claims.map(({ text }) => text)),
  };
}

/**
 * What holds of every run, however often it was killed: each line of the journal is whole and in its place, every call
 * and answer is recorded once, each finding has one fact and one note, and each execution has its folder.
 */
async function expectSound(project: Project, run: RunFolder): Promise<void> {
  const facts = await checkedFacts(run);
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, place) => place + 1));
  expectOnce(facts, "model_answered", (fact) => fact.type === "model_answered" && `${fact.data.agent} ${fact.data.index}`);
  expectOnce(facts, "tool_started", (fact) => fact.type === "tool_started" && `${fact.data.agent} ${fact.data.call}`);
  expectOnce(facts, "tool_finished", (fact) => fact.type === "tool_finished" && `${fact.data.agent} ${fact.data.call}`);
  expectOnce(facts, "finding_published", (fact) => fact.type === "finding_published" && fact.data.finding.statement);
  expectOnce(facts, "agent_spawned", (fact) => fact.type === "agent_spawned" && fact.data.agent);
  expectOnce(facts, "agent_finished", (fact) => fact.type === "agent_finished" && fact.data.agent);
  expectOnce(facts, "review_recorded", (fact) => fact.type === "review_recorded" && fact.data.review.reviewer);
  expectOnce(
    facts,
    "experiment_finished",
    (fact) => fact.type === "experiment_finished" && `${fact.data.experiment} ${fact.data.execution}`,
  );
  expectOnce(facts, "report_written", (fact) => fact.type === "report_written" && "report");
  const published = facts.flatMap((fact) => (fact.type === "finding_published" ? [fact.data.note] : []));
  const spawned = facts.flatMap((fact) => (fact.type === "agent_spawned" ? [`${fact.data.agent}.md`] : []));
  expect((await readdir(join(run.path, "agents"))).filter((name) => name.endsWith(".md")).toSorted()).toEqual(spawned.toSorted());
  expect((await project.notes()).map(({ path }) => path).filter((path) => published.includes(path))).toEqual(published.toSorted());
  await expectExecutionFolders(project, facts);
}

/** Facts read by the journal's own reader, which checks every CRC and every place. */
async function checkedFacts(run: RunFolder): Promise<Fact[]> {
  const facts: Fact[] = [];
  const reading = await Journal.read(run.path);
  for await (const fact of reading.allFacts()) facts.push(fact);
  expect(reading.torn).toBeUndefined();
  return facts;
}

function expectOnce(facts: Fact[], what: string, key: (fact: Fact) => string | false): void {
  const keys = facts.map(key).filter((each) => each !== false);
  const twice = keys.filter((each, place) => keys.indexOf(each) !== place);
  expect(twice, `${what} recorded twice`).toEqual([]);
}

/** Every execution that came to an end has one result on disk, and no other execution has. */
async function expectExecutionFolders(project: Project, facts: Fact[]): Promise<void> {
  const ended = facts.flatMap(({ type, data }) =>
    type === "experiment_finished" && data.status !== "interrupted" ? [`${data.experiment}/executions/${data.execution}/result.json`] : [],
  );
  const folder = join(project.folder, ".hypo", "experiments");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const results = names.filter((name) => name.endsWith("/result.json"));
  expect(results.toSorted()).toEqual(ended.toSorted());
}

/** The most that a run ever held as spent or reserved, in US dollars. */
export async function mostHeldUsd(run: RunFolder): Promise<number> {
  const ledger = emptyLedger();
  let most = 0;
  for (const fact of await run.facts()) {
    evolveLedger(ledger, fact);
    most = Math.max(most, ledger.usd + ledger.reservedUsd);
  }
  return most;
}

/** Answers that cost more money or tokens than was reserved for them. */
export async function answersAboveReservation(run: RunFolder): Promise<unknown[]> {
  const reserved = new Map((await run.factsOf("spend_reserved")).map(({ data }) => [data.reservation, data]));
  return (await run.factsOf("model_answered")).flatMap(({ data: { agent, index, reservation, usage } }) => {
    const tokens = usage.input + usage.output + usage.cache_read + usage.cache_write;
    const held = reserved.get(reservation);
    return held && usage.usd <= held.usd + 1e-9 && tokens <= held.tokens ? [] : [{ agent, index, usage, held }];
  });
}
