import { drawCharts } from "./chart.ts";
import { item, list, mark, section, table, type Quotes } from "./html-parts.ts";
import { html, joinHtml, type Html } from "./html-text.ts";
import { listMetrics } from "./metric-table.ts";
import type { ExecutionView, ExperimentView, ReviewView } from "./report-model.ts";

/** Every experiment: plan, charts and table of its metrics, each execution with outcome and reviews side by side. */
export function experimentSection(experiments: ExperimentView[], quotes: Quotes): Html {
  const body =
    experiments.length === 0 ? [list([], "No experiment was registered.")] : experiments.map((each) => showExperiment(each, quotes));
  return section("Experiments", body);
}

function showExperiment(experiment: ExperimentView, quotes: Quotes): Html {
  const { anchor, title, id, executions } = experiment;
  return html`<article id="${anchor}"><h3>${title} <span class="about">${id}</span></h3>
${showPlan(experiment, quotes)}
${showExecutions(experiment)}
${drawCharts(experiment)}${showMetrics(experiment)}
${showReviews(executions)}</article>
`;
}

function showPlan(experiment: ExperimentView, quotes: Quotes): Html {
  const { hypothesis, author, plan_sha256, method, baseline, split, seeds, image, data, confounders } = experiment;
  return list(
    [
      html`Tests ${mark(hypothesis, quotes)}; plan <code>${plan_sha256.slice(0, 12)}</code> frozen by ${author} before anything ran`,
      html`Method: ${method}`,
      html`Met if <code>${experiment.success_criterion}</code>`,
      html`Refuted if <code>${experiment.refutation_criterion}</code>`,
      html`Baseline: ${baseline}; split: ${split}; seeds: ${seeds.join(", ")}; image: <code>${image}</code>`,
      ...data.map(({ name, sha256, from }) => html`Data: ${name} from ${from}, <code>${sha256.slice(0, 12)}</code>`),
      ...confounders.map((confounder) => html`Confounder: ${confounder}`),
    ].map((each) => item(each)),
    "",
  );
}

function showExecutions({ id, executions }: ExperimentView): Html {
  if (executions.length === 0) return list([], "Never executed.");
  return table(
    `Executions of ${id}`,
    ["Execution", "Status", "Exit", "Computed outcome", "Reviewer's verdict", "Reason"],
    executions.map(({ execution, status, exit_code, outcome, reviews, reason }) => {
      const verdicts = reviews.length === 0 ? "not reviewed" : joinHtml(reviews.map(showVerdict), "; ");
      return [execution, status, exit_code ?? "none", outcome, verdicts, reason ?? ""];
    }),
  );
}

function showVerdict({ verdict, reviewer, disagreement }: ReviewView): Html {
  return disagreement === null ? html`${verdict} (${reviewer})` : html`${verdict} (${reviewer}), <strong class="bad">disagrees</strong>`;
}

function showMetrics(experiment: ExperimentView): Html {
  const metrics = listMetrics(experiment);
  return metrics === undefined ? html`` : table(`Metrics of ${experiment.id}`, metrics.header, metrics.rows);
}

function showReviews(executions: ExecutionView[]): Html {
  const items = executions.flatMap(({ execution, reviews }) =>
    reviews.map(({ reviewer, verdict, summary, disagreement }) => {
      const against = disagreement === null ? html`` : html` <strong class="bad">Disagreement:</strong> ${disagreement}`;
      return item(html`Review of execution ${execution} by ${reviewer}: ${verdict}. ${summary}${against}`);
    }),
  );
  return items.length === 0 ? html`` : list(items, "");
}
