import { codeSpan, joinMarkdown, safe, type Markdown } from "./escape.ts";
import { anchor, heading, list, mark, none, table } from "./markdown-parts.ts";
import { listMetrics } from "./metric-table.ts";
import type { ExecutionView, ExperimentView, ReviewView } from "./report-model.ts";

/** Every experiment: the frozen plan, the metrics, each execution with its outcome and reviews side by side. */
export function renderExperiments(experiments: ExperimentView[]): Markdown[] {
  const blocks = experiments.length === 0 ? [none("No experiment was registered.")] : experiments.flatMap(renderExperiment);
  return [heading(2, "Experiments"), ...blocks];
}

function renderExperiment(experiment: ExperimentView): Markdown[] {
  return [
    heading(3, safe`${anchor(experiment.anchor)}${experiment.title} (${experiment.id})`),
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
      safe`Tests ${mark(hypothesis)}; plan ${codeSpan(plan_sha256.slice(0, 12))} frozen by ${author} before anything ran`,
      safe`Method: ${method}`,
      safe`Met if ${codeSpan(experiment.success_criterion)}`,
      safe`Refuted if ${codeSpan(experiment.refutation_criterion)}`,
      safe`Baseline: ${baseline}; split: ${split}; seeds: ${seeds.join(", ")}; image: ${codeSpan(image)}`,
      ...data.map(({ name, sha256, from }) => safe`Data: ${name} from ${from}, ${codeSpan(sha256.slice(0, 12))}`),
      ...confounders.map((confounder) => safe`Confounder: ${confounder}`),
    ],
    none(""),
  );
}

function renderExecutions(executions: ExecutionView[]): Markdown {
  if (executions.length === 0) return none("Never executed.");
  return table(
    ["Execution", "Status", "Exit", "Computed outcome", "Reviewer's verdict", "Reason"],
    executions.map(({ execution, status, exit_code, outcome, reviews, reason }) => {
      const verdicts = reviews.length === 0 ? "not reviewed" : joinMarkdown(reviews.map(renderVerdict), "; ");
      return [execution, status, exit_code ?? "none", outcome, verdicts, reason ?? ""];
    }),
  );
}

function renderVerdict({ verdict, reviewer, disagreement }: ReviewView): Markdown {
  return disagreement === null ? safe`${verdict} (${reviewer})` : safe`${verdict} (${reviewer}), **disagrees**`;
}

function renderMetrics(experiment: ExperimentView): Markdown[] {
  const metrics = listMetrics(experiment);
  return metrics === undefined ? [] : [table(metrics.header, metrics.rows)];
}

function renderReviews(executions: ExecutionView[]): Markdown[] {
  const items = executions.flatMap(({ execution, reviews }) =>
    reviews.flatMap(({ reviewer, verdict, summary, disagreement }) => [
      safe`Review of execution ${execution} by ${reviewer}: ${verdict}. ${summary}`,
      ...(disagreement === null ? [] : [safe`**Disagreement:** ${disagreement}`]),
    ]),
  );
  return items.length === 0 ? [] : [list(items, none(""))];
}
