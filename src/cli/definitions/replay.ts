import type { CommandDefinition } from "../definition.ts";
import { EXECUTION_OPTION, EXPERIMENT_ARGUMENT } from "./experiments.ts";

export const replay: CommandDefinition = {
  name: "replay",
  summary: "Execute a stored experiment again and compare its metrics",
  description:
    "Runs the stored files on the very image that was used, in fresh containers, and says for each metric whether it is " +
    "identical, within the tolerance that the plan registered, or different, and what around the code is not what it was. " +
    "Needs no run and no model. Exit code 0: reproduced; 1: not; 3: it cannot be replayed here, since the engine, the image, " +
    "a file or data is gone.",
  arguments: [EXPERIMENT_ARGUMENT],
  options: [
    { ...EXECUTION_OPTION, summary: "which execution (default: the one that decided)" },
    { name: "times", value: { name: "n", kind: "integer", min: 1 }, summary: "how often (default 1)" },
  ],
  examples: [
    { command: "hypo replay x-3f9a2b10c4", says: "once" },
    { command: "hypo replay x-3f9a --times 5 --json", says: "five times, for a script" },
  ],
  async start(given, common, io) {
    const { replayCommand } = await import("../commands/replay.ts");
    const { stores } = await import("../stores.ts");
    const options = { experiment: given.argument(0) ?? "", execution: given.number("execution"), times: given.number("times") ?? 1 };
    return replayCommand({ ...common, ...options }, io, stores);
  },
};
