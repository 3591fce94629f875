import { HypoError } from "../../domain/errors.ts";
import { REWIND_MODES, type RewindOptions } from "../commands/options.ts";
import type { CommandDefinition } from "../definition.ts";
import type { Given } from "../given.ts";
import { RUN_ARGUMENT } from "./shared.ts";

export const branches: CommandDefinition = {
  name: "branches",
  summary: "List the branches of a run",
  description: "A branch is a named head of the run's journal. Every run has main; `hypo fork` adds others.",
  arguments: [RUN_ARGUMENT],
  options: [],
  examples: [{ command: "hypo branches last", says: "those of the newest run" }],
  isPaged: () => true,
  async start(given, common, io) {
    const { branchesCommand } = await import("../commands/branches.ts");
    const { stores } = await import("../stores.ts");
    return branchesCommand({ ...common, run: given.argument(0) ?? "" }, io, stores);
  },
};

export const fork: CommandDefinition = {
  name: "fork",
  summary: "Begin another branch of a run at an earlier fact",
  description:
    "Adds a named head at a fact; `hypo log` shows their numbers. Nothing is started and nothing is changed: `hypo resume " +
    "--branch` sets the new branch to work. What was spent before counts for it too, and a test that was run anywhere in the " +
    "run is a repeat on it.",
  arguments: [RUN_ARGUMENT],
  options: [
    { name: "from", value: { name: "seq", kind: "integer", min: 1 }, summary: "fact after which the branch goes on" },
    { name: "as", value: { name: "name", kind: "text" }, summary: "name of the new branch" },
    { name: "reason", value: { name: "text", kind: "text" }, summary: "why, for whoever reads the journal" },
  ],
  examples: [
    { command: 'hypo fork last --from 120 --as bolder --reason "try the other baseline"', says: "a second line from fact 120 on" },
  ],
  async start(given, common, io) {
    const [from, name] = [given.number("from"), given.text("as")];
    if (from === undefined || name === undefined) {
      throw new HypoError("usage", "`hypo fork` needs --from and --as.", { hint: "`hypo log <run>` shows the numbers of the facts." });
    }
    const { forkCommand } = await import("../commands/fork.ts");
    return forkCommand({ ...common, run: given.argument(0) ?? "", from, name, reason: given.text("reason") }, io);
  },
};

export const rewind: CommandDefinition = {
  name: "rewind",
  summary: "Put a branch of a stopped run back to an earlier fact",
  description:
    "Moves the head of a branch; nothing that was recorded is removed, and files of later facts stay. What was spent stays " +
    "spent, and a test that has been run stays run. `--mode after` (the default) keeps what is named and drops what came " +
    "later; `--mode before` drops it too.",
  arguments: [RUN_ARGUMENT],
  options: [
    { name: "branch", value: { name: "name", kind: "text" }, summary: "branch to put back" },
    { name: "to", value: { name: "seq", kind: "integer", min: 1 }, summary: "to a fact on its line" },
    { name: "to-agent", value: { name: "id", kind: "text" }, summary: "to where an agent was spawned (before) or had ended (after)" },
    {
      name: "to-iteration",
      value: { name: "n", kind: "integer", min: 1 },
      summary: "to where an iteration began (before) or had been closed (after)",
    },
    { name: "to-compatible", summary: "to the latest fact that was made with the prompts, settings and Pi of now" },
    {
      name: "mode",
      value: { name: "mode", kind: "text", choices: REWIND_MODES },
      summary: "whether what is named is dropped too; default: after",
    },
    { name: "reason", value: { name: "text", kind: "text" }, summary: "why, for whoever reads the journal" },
    { name: "start", summary: "set the branch to work afterwards" },
  ],
  examples: [
    { command: "hypo rewind last --branch main --to-iteration 2", says: "drop what came after the second iteration" },
    { command: "hypo rewind last --branch main --to-agent root.3 --mode before --start", says: "have an agent's task done anew" },
  ],
  async start(given, common, io) {
    const options = readRewind(given);
    const { rewindCommand } = await import("../commands/rewind.ts");
    return rewindCommand({ ...common, ...options }, io);
  },
};

const TARGETS = ["to", "to-agent", "to-iteration", "to-compatible"];

function readRewind(given: Given): Omit<RewindOptions, "json" | "debug" | "agentDir"> {
  const branch = given.text("branch");
  if (branch === undefined) throw new HypoError("usage", "`hypo rewind` needs --branch.", { hint: "`hypo branches <run>` lists them." });
  if (TARGETS.filter((name) => given.isSet(name)).length !== 1) {
    throw new HypoError("usage", `\`hypo rewind\` needs exactly one of --${TARGETS.join(", --")}.`, { hint: "See `hypo help rewind`." });
  }
  return {
    run: given.argument(0) ?? "",
    branch,
    to: given.number("to"),
    toAgent: given.text("to-agent"),
    toIteration: given.number("to-iteration"),
    toCompatible: given.isSet("to-compatible"),
    mode: REWIND_MODES.find((mode) => mode === given.text("mode")) ?? "after",
    reason: given.text("reason"),
    start: given.isSet("start"),
  };
}
