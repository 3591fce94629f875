import { z } from "zod";
import { HypoError } from "../../domain/errors.ts";
import type { AgentId, CallId } from "../../domain/ids.ts";
import type { SessionTool, ToolOutput } from "../../domain/ports.ts";
import type { RunContext } from "../run-context.ts";

/**
 * What may be done with a call that began and whose result was lost in a crash: *rerunnable* calls are made again,
 * *reconcilable* ones find what they made, *at_most_once* ones are never repeated.
 */
type ToolClass = "rerunnable" | "reconcilable" | "at_most_once";

export interface ToolCallContext {
  run: RunContext;
  agent: AgentId;
  call: CallId;
  /** When the call began, as its fact says: a call that is made again after a crash dates what it makes as before. */
  began: string;
  signal: AbortSignal;
}

export interface Tool<S extends z.ZodType = z.ZodType> {
  name: string;
  description: string;
  input: S;
  class: ToolClass;
  run(input: z.output<S>, context: ToolCallContext): Promise<ToolOutput>;
  /** What it says to arguments that do not fit its input, where a plain refusal is not enough. */
  refuseArguments?(problem: string, context: ToolCallContext): ToolOutput;
}

/** Keeps the input's type between the schema and `run`, and forgets it outside. */
export function defineTool<S extends z.ZodType>(tool: Tool<S>): Tool {
  return tool;
}

export function say(text: string): ToolOutput {
  return { text, isError: false };
}

/** A refusal that the model can act on: what is wrong and what to do instead. */
export function refusal(text: string): ToolOutput {
  return { text, isError: true };
}

/** JSON Schema of a tool's input, as models are shown it. */
export function parametersOf(tool: Tool): SessionTool["parameters"] {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: "input" });
  return schema;
}

/** Runs a tool on arguments that nobody has checked; errors become refusals with their hint. */
export async function runTool(tool: Tool, args: unknown, context: ToolCallContext): Promise<ToolOutput> {
  const input = tool.input.safeParse(args);
  if (!input.success) {
    const problem = `The arguments of ${tool.name} are wrong. ${z.prettifyError(input.error)}`;
    return tool.refuseArguments?.(problem, context) ?? refusal(problem);
  }
  try {
    return await tool.run(input.data, context);
  } catch (error) {
    if (!(error instanceof HypoError) || error.code === "storage_failed" || error.code === "internal") throw error;
    return refusal(`${error.code}: ${error.message}${error.hint ? ` ${error.hint}` : ""}`);
  }
}
