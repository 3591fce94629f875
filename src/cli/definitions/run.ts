import type { CommandDefinition } from "../definition.ts";
import { CAP_OPTIONS, MODEL_OPTIONS, ON_GATE_OPTION, readCaps, readModels, readOnGate } from "./shared.ts";

export const run: CommandDefinition = {
  name: "run",
  summary: "Research a question and write a sourced, tested report",
  description:
    "Starts a run: a supervisor agent and the agents it spawns search, read, test and write a report. At a terminal a live view shows the work; " +
    "elsewhere one line a step goes to stderr. With --json the journal's facts go to stdout as JSON lines. Ctrl-C saves the run and says how to resume it.",
  arguments: [
    { name: "question", summary: "the question to research, in quotes; read from stdin where it is - or a pipe", required: false },
  ],
  options: [
    ...MODEL_OPTIONS,
    ...CAP_OPTIONS,
    ON_GATE_OPTION,
    { name: "dry-run", summary: "say which models, prices, limits, gateways and sandbox would be used, and start nothing" },
  ],
  examples: [
    { command: 'hypo run "Does vitamin D shorten colds?"', says: "research with the configured models and limits" },
    {
      command: 'hypo run --max-cost 1 --max-time 30 "Which sorting network is optimal for 11 inputs?"',
      says: "stop at one dollar or half an hour",
    },
    { command: "hypo run --dry-run --max-cost 1", says: "see what would be used, without asking a model" },
    { command: "hypo run --json - < question.txt > facts.jsonl", says: "in a script: facts as JSON lines" },
  ],
  async start(given, common, io) {
    const { runCommand } = await import("../commands/run.ts");
    const options = {
      ...common,
      ...readModels(given),
      ...readCaps(given),
      onGate: readOnGate(given),
      question: given.argument(0),
      dryRun: given.isSet("dry-run"),
    };
    return runCommand(options, io);
  },
};
