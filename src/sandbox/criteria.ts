import { Environment } from "@marcbachmann/cel-js";
import type { ComputedOutcome, Metrics, TestPlan } from "../domain/experiment.ts";
import type { Criteria } from "../domain/ports.ts";
import { describeCelProblem, findMisuse } from "./criteria-problems.ts";

type CriteriaPlan = Pick<TestPlan, "metrics" | "success_criterion" | "refutation_criterion">;

const LONGEST_CRITERION = 2000;

/**
 * Success and refutation criteria as CEL expressions over `metrics`. Whole numbers and doubles mix freely in
 * arithmetic and comparison; dividing two whole numbers is refused at registration, since CEL drops the fraction.
 */
export function createCriteria(): Criteria {
  return { check: checkCriteria, evaluate: evaluateCriteria };
}

/** What is wrong with a plan's criteria, in words that say how to mend it; empty where nothing is. */
function checkCriteria(plan: CriteriaPlan): string[] {
  const twice = plan.metrics.filter((metric, index) => plan.metrics.findIndex(({ name }) => name === metric.name) < index);
  if (twice.length > 0) return twice.map(({ name }) => `metrics: "${name}" is declared twice; declare each metric once.`);
  const environment = makeEnvironment(plan);
  return (["success_criterion", "refutation_criterion"] as const).flatMap((key) =>
    checkExpression(environment, plan, plan[key]).map((problem) => `${key}: ${problem}`),
  );
}

function checkExpression(environment: Environment, plan: CriteriaPlan, expression: string): string[] {
  if (expression.length > LONGEST_CRITERION)
    return [
      `it has ${expression.length} characters; at most ${LONGEST_CRITERION} are allowed. Compute more in the experiment and compare less here.`,
    ];
  const checked = environment.check(expression);
  if (!checked.valid) return [describeCelProblem(checked.error, expression, plan.metrics)];
  const misuse = findMisuse(environment, expression);
  if (misuse.length > 0) return misuse;
  if (checked.type === "bool") return [];
  return [`it gives ${checked.type ?? "something"}, not true or false. Compare it with something, as in \`metrics.x < 0.5\`.`];
}

/** What the criteria say of the metrics. Without metrics, or where a criterion fails, nothing can be said. */
function evaluateCriteria(plan: CriteriaPlan, metrics: Metrics | undefined): ComputedOutcome {
  if (metrics === undefined) return "not_evaluable";
  const environment = makeEnvironment(plan);
  const context = { metrics: celValues(plan, metrics) };
  const met = evaluateExpression(environment, plan.success_criterion, context);
  const refuted = evaluateExpression(environment, plan.refutation_criterion, context);
  if (met === undefined || refuted === undefined) return "not_evaluable";
  if (met && refuted) return "both";
  return met ? "met" : refuted ? "refuted" : "neither";
}

function evaluateExpression(environment: Environment, expression: string, context: Record<string, unknown>): boolean | undefined {
  try {
    const value: unknown = environment.evaluate(expression, context);
    return typeof value === "boolean" ? value : undefined;
  } catch {
    // Division by zero, a failed conversion: the criterion has no value for these metrics.
    return undefined;
  }
}

/** CEL's `int` is a BigInt in this library; a number would be taken for a double. */
function celValues(plan: CriteriaPlan, metrics: Metrics): Record<string, unknown> {
  const whole = new Set(plan.metrics.filter(({ type }) => type === "int").map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(metrics).map(([name, value]) => [name, whole.has(name) && Number.isSafeInteger(value) ? BigInt(value) : value]),
  );
}

function makeEnvironment(plan: CriteriaPlan): Environment {
  const schema = Object.fromEntries(plan.metrics.map(({ name, type }) => [name, type]));
  const environment = new Environment({ limits: { maxAstNodes: 500, maxDepth: 50, maxListElements: 100, maxMapEntries: 0 } });
  environment.registerVariable({ name: "metrics", schema });
  environment.registerFunction("abs(double): double", (value: number) => Math.abs(value));
  environment.registerFunction("abs(int): int", (value: bigint) => (value < 0n ? -value : value));
  for (const [operator, apply] of MIXED_ARITHMETIC) {
    environment.registerOperator(`int ${operator} double: double`, (a: bigint, b: number) => apply(Number(a), b));
    environment.registerOperator(`double ${operator} int: double`, (a: number, b: bigint) => apply(a, Number(b)));
  }
  environment.registerOperator("double == int: bool", (a: number, b: bigint) => a === Number(b));
  return environment;
}

/** CEL compares across number types but does not compute across them; people write `2 * metrics.rmse`. */
const MIXED_ARITHMETIC: [string, (a: number, b: number) => number][] = [
  ["+", (a, b) => a + b],
  ["-", (a, b) => a - b],
  ["*", (a, b) => a * b],
  ["/", (a, b) => a / b],
];
