import { itemIdFor } from "../../domain/ids.ts";
import { freezePlan, PlanInput, recordPlan, type RegisteredPlan } from "../experiments/register-plan.ts";
import { defineTool, refusal, say } from "./tool.ts";

export const registerExperiment = defineTool({
  name: "register_experiment",
  description: `Freezes the plan of a test before it runs; nothing of it can be changed later. Criteria are CEL expressions over metrics, for example metrics.rmse < 0.9 * metrics.baseline_rmse; they must be able to come out either way. Fractions of whole numbers: double(metrics.wins) / metrics.n.
Declare EVERY value the criteria need, and every one the program writes. The program must write /out/metrics.json as one flat JSON object with exactly the declared metrics, no more and no fewer: double and int as finite JSON numbers (int whole; never NaN, Infinity or numbers in quotes), bool as true or false, string as text; nothing nested, no lists, no null. Put anything else (tables, curves, notes) in other files under /out. Otherwise the outcome is not_evaluable, and the first run that takes place is the one that decides.
It sees its files in /work and its data in /work/data (both read-only), may write to /out and /tmp only, and has no network. The default image has Python's standard library alone.`,
  input: PlanInput,
  class: "reconcilable",
  async run(input, context) {
    const { run, agent, call } = context;
    const known = [...run.log.state.experiments.values()].find((each) => each.call === call && each.author === agent);
    if (known) {
      await run.ports.sandbox.savePlan(known.id, known.plan, known.planSha256);
      return say(describe(known));
    }
    const id = itemIdFor("x", run.id, agent, call, run.course);
    const hypothesis = run.log.state.hypotheses.get(input.hypothesis);
    if (!hypothesis) return refusal(`There is no hypothesis ${input.hypothesis}. Publish it first with publish_finding, type hypothesis.`);
    const frozen = await freezePlan(input, run);
    if ("problems" in frozen) return refusal(`The plan is not registered:\n${frozen.problems.map((each) => `- ${each}`).join("\n")}`);
    return say(describe(await recordPlan(id, frozen.plan, hypothesis, context)));
  },
});

function describe({ id, plan, planSha256 }: RegisteredPlan): string {
  const example = JSON.stringify(Object.fromEntries(plan.metrics.map(({ name, type }) => [name, EXAMPLES[type]])));
  const metrics = plan.metrics.map((metric) => `${metric.name} (${metric.type})`).join(", ");
  return `Registered ${id}, frozen as ${planSha256.slice(0, 12)}, on image ${plan.image}. Run it with run_experiment: files, and a command such as ["python3", "/work/main.py"]. Metrics: ${metrics}. /out/metrics.json must be one flat object of exactly these, shaped like ${example}.`;
}

const EXAMPLES = { double: 0.5, int: 1, bool: true, string: "text" } as const;
