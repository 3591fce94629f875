import { serialize, type ASTNode, type Environment, type ParseError, type TypeError as CelTypeError } from "@marcbachmann/cel-js";
import type { MetricPlan } from "../domain/experiment.ts";

/** Functions that a criterion may call. Macros and regular expressions could run for hours; scalars need neither. */
const FUNCTIONS = new Set(["abs", "int", "double", "string", "size", "contains", "startsWith", "endsWith"]);

/** A problem that the CEL library found, in words that say what to write instead. */
export function describeCelProblem(
  error: ParseError | CelTypeError | undefined,
  expression: string,
  metrics: readonly MetricPlan[],
): string {
  const summary = error?.summary ?? "it cannot be understood";
  const where = error?.range === undefined ? "" : ` in \`${expression.slice(error.range.start, error.range.end) || expression}\``;
  switch (error?.code) {
    case "no_such_key":
      return `unknown metric${where.replace(" in", "")}. Declared are ${listMetrics(metrics)}.`;
    case "unknown_variable":
      return `${summary}. Metrics are written metrics.<name>; declared are ${listMetrics(metrics)}.`;
    case "no_such_overload":
      return `${summary}${where}. Compare numbers with numbers and text with text; declared are ${listMetrics(metrics)}.`;
    case "no_matching_overload":
      return `${summary}. Functions that can be used: ${[...FUNCTIONS].join(", ")}.`;
    case undefined:
    default:
      return `not a valid CEL expression: ${summary}${where}. An example: \`metrics.rmse < 0.9 * metrics.baseline && metrics.n > 30\`.`;
  }
}

function listMetrics(metrics: readonly MetricPlan[]): string {
  return metrics.map(({ name, type }) => `metrics.${name} (${type})`).join(", ");
}

/** Valid CEL that is still not a usable criterion: whole-number division, calls beyond the list, no metric at all. */
export function findMisuse(environment: Environment, expression: string): string[] {
  const nodes = listNodes(environment.parse(expression).ast);
  const problems = nodes.flatMap((node) => describeMisuse(environment, node));
  if (!nodes.some((node) => node.op === "id" && node.args === "metrics"))
    problems.push("it depends on no metric, so no result could change it. Use at least one, as in `metrics.x < 0.5`.");
  return [...new Set(problems)];
}

function describeMisuse(environment: Environment, node: ASTNode): string[] {
  if ((node.op === "call" || node.op === "rcall") && !FUNCTIONS.has(node.args[0]))
    return [
      `${node.args[0]}() cannot be used here. Functions that can be: ${[...FUNCTIONS].join(", ")}. Compute the rest in the experiment.`,
    ];
  if (node.op === "/" && node.args.every((operand) => environment.check(serialize(operand)).type === "int")) {
    const [numerator, denominator] = node.args.map((operand) => serialize(operand));
    return [
      `\`${numerator} / ${denominator}\` divides whole numbers and drops the fraction. Write \`double(${numerator}) / ${denominator}\`.`,
    ];
  }
  return [];
}

/** A node and all below it. Arguments are nodes, literals or lists of both. */
function listNodes(root: ASTNode): ASTNode[] {
  const found: ASTNode[] = [];
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) pending.push(...next);
    else if (isNode(next)) {
      found.push(next);
      pending.push(next.args);
    }
  }
  return found;
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}
