import { HypoError } from "../../domain/errors.ts";
import type { CommandDefinition } from "../definition.ts";
import { writeErr } from "../io.ts";
import { StartGuard } from "../start-guard.ts";
import {
  CAP_OPTIONS,
  DETACH_OPTION,
  MODEL_OPTIONS,
  PROCEDURE_OPTIONS,
  readProcedure,
  ON_GATE_OPTION,
  readCaps,
  readModels,
  readOnGate,
} from "./shared.ts";

export const run: CommandDefinition = {
  name: "run",
  summary: "Research a question and write a sourced, tested report",
  description:
    "Starts a run: a supervisor agent and the agents it spawns search, read, test and write a report. At a terminal a live " +
    "view shows the work; elsewhere one line a step goes to stderr. With --json the journal's facts go to stdout as JSON " +
    "lines. Ctrl-C saves the run and says how to resume it. The question comes from the argument, from --file, from stdin (-, " +
    "or a pipe), or at a terminal from $VISUAL or $EDITOR.",
  arguments: [{ name: "question", summary: "the question to research, in quotes; - reads it from stdin", required: false }],
  options: [
    { name: "file", value: { name: "path", kind: "text", completes: "file" }, summary: "read the question from this file" },
    ...PROCEDURE_OPTIONS,
    ...MODEL_OPTIONS,
    ...CAP_OPTIONS,
    ON_GATE_OPTION,
    DETACH_OPTION,
    { name: "dry-run", summary: "say which models, prices, limits, material, gateways and sandbox would be used, and start nothing" },
  ],
  examples: [
    { command: 'hypo run "Does vitamin D shorten colds?"', says: "research with the configured models and limits" },
    {
      command: 'hypo run --max-cost 1 --max-time 30 "Which sorting network is optimal for 11 inputs?"',
      says: "stop at one dollar or half an hour",
    },
    {
      command: 'hypo run --protocol replicate --context paper.pdf --context data/ "Does the effect in this paper hold?"',
      says: "repeat what a paper claims, with your own material as sources",
    },
    { command: "hypo run --detach --file question.md", says: "in the background; prints the run's id" },
    { command: "hypo run --dry-run --max-cost 1", says: "see what would be used, without asking a model" },
    { command: "hypo run --json - < question.txt > facts.jsonl", says: "in a script: facts as JSON lines" },
  ],
  async start(given, common, io) {
    const asked = { question: given.argument(0), file: given.text("file") };
    const options = { ...common, ...readModels(given), ...readCaps(given), ...readProcedure(given), onGate: readOnGate(given), ...asked };
    if (given.isSet("dry-run")) {
      if (given.isSet("detach")) throw startsNothing();
      const { dryRunCommand } = await import("../commands/dry-run.ts");
      return dryRunCommand(options, io);
    }
    const guard = new StartGuard((line) => writeErr(io, line));
    if (given.isSet("detach")) {
      const { runDetachedCommand } = await import("../commands/detached.ts");
      return runDetachedCommand(options, io);
    }
    const { runCommand } = await import("../commands/run.ts");
    return runCommand(options, io, guard);
  },
};

function startsNothing(): HypoError {
  return new HypoError("usage", "--dry-run starts nothing, so there is nothing to --detach.", { hint: "Leave one of the two out." });
}
