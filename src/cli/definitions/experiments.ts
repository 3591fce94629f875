import type { CommandDefinition } from "../definition.ts";

export const experimentsList: CommandDefinition = {
  name: "experiments list",
  summary: "List registered experiments with their outcome and verdict",
  description: "One line an experiment, over all runs of the project, newest run first.",
  arguments: [],
  options: [{ name: "run", value: { name: "run", kind: "text" }, summary: "only those of one run" }],
  examples: [{ command: "hypo experiments list --run last", says: "those of the newest run" }],
  async start(given, common, io) {
    const { experimentsListCommand } = await import("../commands/experiments.ts");
    const { stores } = await import("../stores.ts");
    return experimentsListCommand({ ...common, run: given.text("run") }, io, stores);
  },
};

export const experimentsShow: CommandDefinition = {
  name: "experiments show",
  summary: "Show an experiment: frozen plan, executions, metrics, reviews",
  description: "The plan as it was registered before anything ran, every execution with its computed outcome, and every review.",
  arguments: [{ name: "experiment", summary: "experiment id (x-...) or any unambiguous prefix", required: true }],
  options: [],
  examples: [{ command: "hypo experiments show x-3f9a2b10c4", says: "one experiment" }],
  async start(given, common, io) {
    const { experimentsShowCommand } = await import("../commands/experiments.ts");
    const { stores } = await import("../stores.ts");
    return experimentsShowCommand({ ...common, experiment: given.argument(0) ?? "" }, io, stores);
  },
};
