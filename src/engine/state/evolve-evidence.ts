import type { EventData, Fact } from "../../domain/events.ts";
import type { RunState } from "./run-state.ts";

/** The part of `evolve` that keeps sources, findings, hypotheses, questions and experiments, and counts progress. */
export function evolveEvidence(state: RunState, fact: Fact): void {
  switch (fact.type) {
    case "source_stored":
      addSource(state, fact.data);
      break;
    case "finding_published":
      addFinding(state, fact.data);
      break;
    case "hypothesis_moved": {
      const hypothesis = state.hypotheses.get(fact.data.hypothesis);
      if (hypothesis) hypothesis.state = fact.data.to;
      break;
    }
    case "question_closed": {
      const question = state.questions.get(fact.data.question);
      if (question && !question.closed) {
        Object.assign(question, { closed: true, answer: fact.data.answer, by: fact.data.by });
        state.progress.closed_questions += 1;
      }
      break;
    }
    case "plan_registered": {
      const { experiment: id, agent: author, call, plan, plan_sha256: planSha256 } = fact.data;
      state.experiments.set(id, { id, author, call, plan, planSha256, executions: [], reviews: [] });
      state.hypotheses.get(plan.hypothesis)?.experiments.push(id);
      break;
    }
    case "experiment_started": {
      const { experiment, execution, agent, call, code_sha256: codeSha256 } = fact.data;
      state.experiments.get(experiment)?.executions.push({ execution, agent, call, codeSha256, finished: undefined });
      break;
    }
    case "experiment_finished":
      finishExecution(state, fact.data);
      break;
    case "review_recorded":
      state.experiments.get(fact.data.review.experiment)?.reviews.push(fact.data.review);
      state.progress.verdicts += 1;
      break;
    default:
      break;
  }
}

function addSource(state: RunState, { agent, source, url, title, record_sha256: recordSha256 }: EventData<"source_stored">): void {
  if (state.sources.has(source)) return;
  state.sources.set(source, { url, title, recordSha256 });
  if (agent === null) state.material.push(source);
}

function addFinding(state: RunState, data: EventData<"finding_published">): void {
  const { finding, call, note, note_sha256: noteSha256 } = data;
  const { id, type, statement, agent: author } = finding;
  state.findings.set(id, { finding, call, note, noteSha256 });
  if (type === "hypothesis") state.hypotheses.set(id, { id, statement, author, state: "proposed", experiments: [] });
  if (type === "open_question") state.questions.set(id, { id, text: statement, closed: false, answer: undefined, by: [] });
  if (finding.evidence.length > 0) state.progress.findings += 1;
  if (finding.counterevidence.length > 0 || finding.related.some((relation) => relation.kind === "contradicts")) {
    state.progress.contradictions += 1;
  }
}

function finishExecution(state: RunState, data: EventData<"experiment_finished">): void {
  const record = state.experiments.get(data.experiment)?.executions.find((each) => each.execution === data.execution);
  if (!record) return;
  const { status, outcome, exit_code: exitCode, metrics, reason } = data;
  record.finished = { status, outcome, exitCode, metrics, reason };
}
