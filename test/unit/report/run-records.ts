import type { TestPlan } from "../../../src/domain/experiment.ts";
import type { Evidence, Finding } from "../../../src/domain/finding.ts";
import { sha256 } from "../../../src/domain/hash.ts";
import { BUDGET_DEFAULT, LIMITS_DEFAULT } from "../../../src/domain/limit-defaults.ts";
import { ReportDraft } from "../../../src/domain/report-draft.ts";
import type { RunRecord } from "../../../src/domain/run-record.ts";
import type { SourceRecord } from "../../../src/domain/source.ts";
import { sampleFinding, samplePlan } from "../../support/samples.ts";

const RUN = "20261130-101500-merge-sort-12ab";

export const KNUTH = sha256("knuth");
export const NOTES = sha256("lecture notes");
export const MIRROR = sha256("mirror of the lecture notes");

export function makeSource(id: string, bibliography: SourceRecord["bibliography"], url: string): SourceRecord {
  return {
    v: 1,
    id,
    size: 4096,
    mime: "text/html",
    canonical: url,
    bibliography,
    text: { sha256: sha256(`text of ${id}`), extractor: "readability@0.6.0", characters: 4000 },
    retrievals: [{ url, final_url: url, retrieved_at: "2026-11-30T10:16:00.000Z", status: 200, backend: "direct" }],
    untrusted: true,
  };
}

export function makeEvidence(source: string, quote: string, start = 120): Evidence {
  return { source, quote, text_sha256: sha256(`text of ${source}`), extractor: "readability@0.6.0", start, end: start + quote.length };
}

export function makeFinding(id: string, changes: Partial<Finding> = {}): Finding {
  return sampleFinding(id, { title: "Merge sort's bound", run: RUN, created: "2026-11-30T10:17:00.000Z", ...changes });
}

export function makePlan(hypothesis: string): TestPlan {
  return samplePlan(hypothesis, {
    title: "Count comparisons on short random arrays",
    method: "Sort 2,000 random arrays of each length with both algorithms and count comparisons.",
    baseline: "merge sort",
    metrics: [
      { name: "binary_insertion", unit: "comparisons" },
      { name: "merge", unit: "comparisons" },
      { name: "crossover", type: "int" },
    ],
    seeds: [1, 2],
    success_criterion: "metrics.binary_insertion < metrics.merge || metrics.crossover > 8",
    refutation_criterion: "metrics.binary_insertion >= metrics.merge",
    confounders: ["the random generator"],
  });
}

type Experiment = RunRecord["experiments"][number];
type Execution = Experiment["executions"][number];

export function makeExecution(changes: Partial<Execution> = {}): Execution {
  return {
    execution: 1,
    status: "completed",
    outcome: "met",
    exit_code: 0,
    metrics: { binary_insertion: 21.4, merge: 22.8, crossover: 12 },
    reason: undefined,
    ...changes,
  };
}

type Review = Experiment["reviews"][number];

export function makeReview(experiment: string, changes: Partial<Review> = {}): Review {
  return {
    experiment,
    execution: 1,
    reviewer: "root.2",
    verdict: "supported",
    outcome: "met",
    disagrees: false,
    summary: "The code counts what the plan says.",
    limitations: ["Only arrays up to 64 elements were sorted."],
    at: "2026-11-30T10:40:00.000Z",
    ...changes,
  };
}

export function makeExperiment(id: string, changes: Partial<Experiment> = {}): Experiment {
  return {
    id,
    plan: makePlan("h-1"),
    plan_sha256: sha256(`plan ${id}`),
    author: "root.1.1",
    executions: [makeExecution()],
    reviews: [makeReview(id)],
    ...changes,
  };
}

/** A run of three sources (two of them the same document), one tested hypothesis and a tree three levels deep. */
export function makeRun(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    run: RUN,
    branch: "main",
    question: "Does binary insertion sort make fewer comparisons than merge sort on short arrays?",
    rehearsal: false,
    started: "2026-11-30T10:15:00.000Z",
    elapsed: 1834.4,
    models: { supervisor: "acme/large", subagent: "deepseek/deepseek-flash", thinking: "medium" },
    limits: LIMITS_DEFAULT,
    budget: BUDGET_DEFAULT,
    stop: { reason: "goal_achieved", detail: "A verdict answers the question." },
    findings: [
      makeFinding("f-bound", {
        status: "corroborated",
        statement: "Merge sort needs at most n log n comparisons.",
        evidence: [
          makeEvidence(KNUTH, "at most n lg n comparisons are made"),
          makeEvidence(NOTES, "merge sort: n log n comparisons in the worst case"),
        ],
        limitations: ["Both texts count comparisons only."],
      }),
      makeFinding("f-insertion", {
        statement: "Binary insertion sort makes about log n! comparisons.",
        evidence: [makeEvidence(KNUTH, "binary insertion takes about lg n! comparisons", 900)],
        counterevidence: [makeEvidence(MIRROR, "the moves dominate for all but tiny arrays", 40)],
      }),
      makeFinding("f-result", {
        type: "experiment_result",
        status: "tested",
        statement: "Binary insertion made 21.4 comparisons where merge sort made 22.8.",
        experiments: ["x-1"],
        related: [{ kind: "supports", to: "h-1" }],
      }),
      makeFinding("f-guess", { type: "inference", status: "hypothetical", statement: "Caches would not change the count." }),
      makeFinding("f-none", { statement: "No study of arrays under four elements was found.", negative_result: true }),
    ],
    hypotheses: [
      { id: "h-1", statement: "Binary insertion makes fewer comparisons below 12 elements.", state: "supported", experiments: ["x-1"] },
    ],
    questions: [
      { id: "q-1", text: "Where do the two cross?", closed: true, answer: "At about 12 elements.", by: ["f-result"] },
      { id: "q-2", text: "Does it hold for nearly sorted arrays?", closed: false, answer: undefined, by: [] },
    ],
    experiments: [makeExperiment("x-1")],
    agents: [
      { id: "root", parent: null, name: "Supervisor", depth: 0, model: "acme/large", outcome: "completed", reason: undefined },
      {
        id: "root.1",
        parent: "root",
        name: "Literature",
        depth: 1,
        model: "deepseek/deepseek-flash",
        outcome: "completed",
        reason: undefined,
      },
      {
        id: "root.2",
        parent: "root",
        name: "Reviewer",
        depth: 1,
        model: "deepseek/deepseek-flash",
        outcome: "completed",
        reason: undefined,
      },
      {
        id: "root.1.1",
        parent: "root.1",
        name: "Tester",
        depth: 2,
        model: "deepseek/deepseek-flash",
        outcome: "timed_out",
        reason: "30 minutes passed",
      },
    ],
    iterations: [{ iteration: 1, claim: "goal_achieved", reason: "The test decided it (x-1)." }],
    spend: { usd: 0.1234, tokens: 1234567, answers: 41 },
    sources: {
      [KNUTH]: makeSource(
        KNUTH,
        { title: "The Art of Computer Programming", authors: ["D. E. Knuth"], published: "1998", doi: "10.5555/280635" },
        "https://books.example/taocp3",
      ),
      [NOTES]: makeSource(
        NOTES,
        { title: "Sorting lecture", canonical_url: "https://uni.example/sorting" },
        "https://uni.example/sorting?x=1",
      ),
      [MIRROR]: makeSource(
        MIRROR,
        { title: "Sorting lecture", canonical_url: "https://uni.example/sorting" },
        "https://mirror.example/sorting",
      ),
    },
    hypo: "0.1.0",
    pi: "1.6.0",
    ...changes,
  };
}

export function makeDraft(changes: Partial<ReportDraft> = {}): ReportDraft {
  return ReportDraft.parse({
    answer: "Yes, below about twelve elements. Above that merge sort makes fewer.",
    answer_supports: ["f-result", "f-bound"],
    confidence: "high",
    would_change: "A replication with another comparison counter.",
    sections: [
      {
        title: "Counts",
        interpretation: "The gap is small.\n\nIt matters only where comparisons are dear.",
        claims: [
          { text: "Merge sort has a worst case of n log n comparisons.", supports: ["f-bound"] },
          { text: "The test met its criterion.", supports: ["x-1", "h-1"] },
        ],
      },
    ],
    limitations: ["Comparisons were counted, not time."],
    ...changes,
  });
}

/** The same run where no Docker engine was there. */
export function makeUntestedRun(): RunRecord {
  const run = makeRun();
  const reason = "no Docker engine answers at /var/run/docker.sock";
  return {
    ...run,
    findings: run.findings.filter(({ id }) => id !== "f-result"),
    hypotheses: run.hypotheses.map(({ id, statement, experiments }) => ({ id, statement, state: "testing", experiments })),
    experiments: [
      makeExperiment("x-1", {
        reviews: [],
        executions: [
          makeExecution({ status: "docker_unavailable", outcome: "not_evaluable", exit_code: null, metrics: undefined, reason }),
        ],
      }),
    ],
  };
}
