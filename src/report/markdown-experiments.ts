import { codeSpan, joinMarkdown, md, type Markdown } from "./escape.ts";
import { anchor, heading, list, mark, none, table } from "./markdown-parts.ts";
import type { ExecutionView, ExperimentView, ReviewView } from "./report-model.ts";

/** Every experiment: the frozen plan, the metrics, each execution with its outcome and reviews side by side. */
export function renderExperiments(experiments: ExperimentView[]): Markdown[] {
  const blocks = experiments.length === 0 ? [none("No experiment was registered.")] : experiments.flatMap(renderExperiment);
  return [
    heading(
      2,
      md`
Experiments
      `,
    ),
    ...blocks,
  ];
}

function renderExperiment(experiment: ExperimentView): Markdown[] {
  return [
    heading(3, md`${anchor(experiment.anchor)}${experiment.title} (${experiment.id})`),
    renderPlan(experiment),
    renderExecutions(experiment.executions),
    ...renderMetrics(experiment),
    ...renderReviews(experiment.executions),
  ];
}

function renderPlan(experiment: ExperimentView): Markdown {
  const { hypothesis, author, plan_sha256, method, baseline, split, seeds, image, data, confounders } = experiment;
  return list(
    [
      md`Tests ${mark(hypothesis)}; plan ${codeSpan(plan_sha256.slice(0, 12))} frozen by ${author} before anything ran`,
      md`Method: ${method}`,
      md`Met if ${codeSpan(experiment.success_criterion)}`,
      md`Refuted if ${codeSpan(experiment.refutation_criterion)}`,
      md`Baseline: ${baseline}; split: ${split}; seeds: ${seeds.join(", ")}; image: ${codeSpan(image)}`,
      ...data.map(({ name, sha256, from }) => md`Data: ${name} from ${from}, ${codeSpan(sha256.slice(0, 12))}`),
      ...confounders.map((confounder) => md`Confounder: ${confounder}`),
    ],
    none(""),
  );
}

function renderExecutions(executions: ExecutionView[]): Markdown {
  if (executions.length === 0) return none("Never executed.");
  const header = [
    md`
Execution
    `,
    md`
Status
    `,
    md`
Exit
    `,
    md`
Computed outcome
    `,
    md`
Reviewer's verdict
    `,
    md`
Reason
    `,
  ];
  return table(
    header,
    executions.map(({ execution, status, exit_code, outcome, reviews, reason }) => [
      md`${execution}`,
      md`${status}`,
      md`${exit_code ?? "none"}`,
      md`${outcome}`,
      reviews.length === 0
        ? md`
not reviewed
          `
        : joinMarkdown(reviews.map(renderVerdict), "; "),
      md`${reason ?? ""}`,
    ]),
  );
}

function renderVerdict({ verdict, reviewer, disagreement }: ReviewView): Markdown {
  return disagreement === null ? md`${verdict} (${reviewer})` : md`${verdict} (${reviewer}), **disagrees**`;
}

function renderMetrics({ metrics, executions }: ExperimentView): Markdown[] {
  const measured = executions.filter(({ metrics: values }) => Object.keys(values).length > 0);
  if (measured.length === 0) return [];
  const planned = metrics.map(({ name }) => name);
  const extra = Array.from(new Set(measured.flatMap(({ metrics: values }) => Object.keys(values)))).filter(
    (name) => !planned.includes(name),
  );
  const unitOf = new Map(metrics.map(({ name, unit }) => [name, unit ?? ""]));
  const header = [
    md`
Metric
    `,
    md`
Unit
    `,
    ...measured.map(({ execution }) => md`Execution ${execution}`),
  ];
  const rows = planned.concat(extra.toSorted()).map((name) => {
    const cells = [planned.includes(name) ? md`${name}` : md`${name} (not planned)`, md`${unitOf.get(name) ?? ""}`];
    return cells.concat(measured.map(({ metrics: values }) => md`${String(values[name] ?? "missing")}`));
  });
  return [table(header, rows)];
}

function renderReviews(executions: ExecutionView[]): Markdown[] {
  const items = executions.flatMap(({ execution, reviews }) =>
    reviews.flatMap(({ reviewer, verdict, summary, disagreement }) => [
      md`Review of execution ${execution} by ${reviewer}: ${verdict}. ${summary}`,
      ...(disagreement === null ? [] : [md`**Disagreement:** ${disagreement}`]),
    ]),
  );
  return items.length === 0 ? [] : [list(items, none(""))];
}
