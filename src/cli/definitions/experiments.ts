import { HypoError } from "../../domain/errors.ts";
import type { ArgumentDefinition, CommandDefinition, OptionDefinition } from "../definition.ts";

export const EXPERIMENT_ARGUMENT: ArgumentDefinition = {
  name: "experiment",
  summary: "experiment id (x-...) or any unambiguous prefix",
  required: true,
  completes: "experiment",
};

export const EXECUTION_OPTION: OptionDefinition = {
  name: "execution",
  value: { name: "n", kind: "integer", min: 1 },
  summary: "which execution",
};

export const experimentsList: CommandDefinition = {
  name: "experiments list",
  summary: "List registered experiments with their outcome and verdict",
  description: "One line an experiment, over all runs of the project, newest run first.",
  arguments: [],
  options: [{ name: "run", value: { name: "run", kind: "text", completes: "run" }, summary: "only those of one run" }],
  examples: [{ command: "hypo experiments list --run last", says: "those of the newest run" }],
  isPaged: () => true,
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
  arguments: [EXPERIMENT_ARGUMENT],
  options: [],
  examples: [{ command: "hypo experiments show x-3f9a2b10c4", says: "one experiment" }],
  isPaged: () => true,
  async start(given, common, io) {
    const { experimentsShowCommand } = await import("../commands/experiments.ts");
    const { stores } = await import("../stores.ts");
    return experimentsShowCommand({ ...common, experiment: given.argument(0) ?? "" }, io, stores);
  },
};

export const experimentsRegister: CommandDefinition = {
  name: "experiments register",
  summary: "Freeze a plan of your own before it runs",
  description:
    "Reads a plan from a YAML file, checks it, freezes it by hash and records it in a run of its own. Nothing of it can be " +
    "changed later. docs/sandbox.md has a whole plan to start from.",
  arguments: [{ name: "plan", summary: "YAML file with the plan", required: true, completes: "file" }],
  options: [],
  examples: [{ command: "hypo experiments register plan.yaml", says: "prints the experiment's id" }],
  async start(given, common, io) {
    const { experimentsRegisterCommand } = await import("../commands/experiments-by-hand.ts");
    return experimentsRegisterCommand({ ...common, plan: given.argument(0) ?? "" }, io);
  },
};

export const experimentsRun: CommandDefinition = {
  name: "experiments run",
  summary: "Execute a plan that you registered",
  description:
    "Runs a command over your files in a container without network, and evaluates the frozen criteria on the metrics it " +
    "wrote. The first execution decides; later ones are kept as repeats. Exit code 0: there is an outcome; 3: it could not " +
    "run here; 1: it ran and came to none.",
  arguments: [
    EXPERIMENT_ARGUMENT,
    { name: "command", summary: "program and arguments, after --", required: true, variadic: true, completes: "file" },
  ],
  options: [
    {
      name: "file",
      value: { name: "path", kind: "text", completes: "file" },
      repeatable: true,
      summary: "source file or folder, put under /work by the path it has below the current folder; may be given more than once",
    },
  ],
  examples: [
    { command: "hypo experiments run x-3f9a --file main.py --file lib -- python3 main.py", says: "one program with a folder of modules" },
  ],
  async start(given, common, io) {
    const [experiment = "", ...command] = given.words();
    const files = given.texts("file");
    if (files.length === 0)
      throw new HypoError("usage", "`hypo experiments run` needs at least one --file.", {
        hint: "Example: --file main.py -- python3 main.py",
      });
    const { experimentsRunCommand } = await import("../commands/experiments-by-hand.ts");
    const { stores } = await import("../stores.ts");
    return experimentsRunCommand({ ...common, experiment, command, files }, io, stores);
  },
};

export const experimentsLogs: CommandDefinition = {
  name: "experiments logs",
  summary: "Print what an execution wrote to stdout or stderr",
  description:
    "The first MiB and the last 64 KiB of a stream are kept. At a terminal control characters are left out; into a pipe or file the " +
    "bytes go as they are.",
  arguments: [EXPERIMENT_ARGUMENT],
  options: [
    { ...EXECUTION_OPTION, summary: "which execution (default: the latest)" },
    { name: "stderr", summary: "stderr instead of stdout" },
  ],
  examples: [{ command: "hypo experiments logs x-3f9a --stderr", says: "errors of the latest execution" }],
  isPaged: () => true,
  async start(given, common, io) {
    const { experimentsLogsCommand } = await import("../commands/experiments-logs.ts");
    const options = { experiment: given.argument(0) ?? "", execution: given.number("execution"), stderr: given.isSet("stderr") };
    return experimentsLogsCommand({ ...common, ...options }, io);
  },
};
