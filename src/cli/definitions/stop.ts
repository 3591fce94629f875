import { HypoError } from "../../domain/errors.ts";
import type { CommandDefinition } from "../definition.ts";
import { RUN_ARGUMENT } from "./shared.ts";

export const stop: CommandDefinition = {
  name: "stop",
  summary: "Stop a run that is at work; it can be resumed",
  description:
    "Asks the process of a run to save its state, write the report of what is known so far, and end. Only the very process " +
    "that the run recorded is signalled; a run whose process has died is marked as stopped. With --all, those that cannot be " +
    "stopped are told, with exit code 1, and keep no other from it.",
  arguments: [{ ...RUN_ARGUMENT, required: false }],
  options: [{ name: "all", summary: "stop every run of the project" }],
  examples: [
    { command: "hypo stop last", says: "stop the newest run" },
    { command: "hypo stop --all", says: "stop all runs of this project" },
  ],
  async start(given, common, io) {
    const run = given.argument(0);
    const all = given.isSet("all");
    if ((run === undefined) === !all) {
      throw new HypoError("usage", "`hypo stop` needs a run or --all, and not both.", { hint: "`hypo runs` lists the runs." });
    }
    const { stopCommand } = await import("../commands/stop.ts");
    return stopCommand({ ...common, run, all }, io);
  },
};
