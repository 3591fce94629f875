import type { CapOptions, GlobalOptions, ResumeOptions, RunOptions } from "../commands/options.ts";

/** The command line of `hypo run` that stands for options; its question comes from stdin. */
export function runArguments(options: RunOptions): string[] {
  return [
    "run",
    ...globalArguments(options),
    ...value("model", options.model),
    ...value("subagent-model", options.subagentModel),
    ...value("thinking", options.thinking),
    ...capArguments(options),
    ...value("protocol", options.protocol),
    ...options.context.flatMap((each) => value("context", each)),
    ...value("on-gate", options.onGate),
    "-",
  ];
}

/** The command line of `hypo resume` that stands for options. */
export function resumeArguments(options: ResumeOptions): string[] {
  return [
    "resume",
    ...globalArguments(options),
    ...options.branches.flatMap((branch) => value("branch", branch)),
    ...capArguments(options),
    ...value("on-gate", options.onGate),
    ...(options.acceptChanges ? ["--accept-changes"] : []),
    "--",
    options.run,
  ];
}

/** The folder of the command is that of the process. */
function globalArguments({ debug, agentDir }: GlobalOptions): string[] {
  return [...(debug ? ["--debug"] : []), ...value("agent-dir", agentDir)];
}

function capArguments(caps: CapOptions): string[] {
  return [
    ...value("max-cost", caps.maxCost === null ? "none" : caps.maxCost),
    ...value("max-tokens", caps.maxTokens),
    ...value("max-time", caps.maxMinutes),
    ...value("max-agents", caps.maxAgents),
    ...value("max-depth", caps.maxDepth),
    ...value("max-iterations", caps.maxIterations),
  ];
}

/** In one word, so that a value may begin with a dash. */
function value(option: string, given: string | number | undefined): string[] {
  return given === undefined ? [] : [`--${option}=${given}`];
}
