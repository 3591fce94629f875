import type { CommandDefinition } from "../definition.ts";
import { writeErr } from "../io.ts";
import { StartGuard } from "../start-guard.ts";
import { ON_GATE_OPTION, readOnGate } from "./shared.ts";

export const demo: CommandDefinition = {
  name: "demo",
  summary: "Run the whole job once with a rehearsed model: no key, no cost",
  description:
    "Runs the real engine, tools, journal, memory, sandbox and report with a scripted model on a small question with bundled sources. " +
    "Where there is no Docker engine the experiment is recorded as docker_unavailable and the hypothesis stays untested.",
  arguments: [],
  options: [ON_GATE_OPTION],
  examples: [
    { command: "hypo demo", says: "see a run from question to report" },
    { command: "hypo -C /tmp/try demo", says: "in a folder of its own" },
  ],
  async start(given, common, io) {
    const guard = new StartGuard((line) => writeErr(io, line));
    const { demoCommand } = await import("../commands/demo.ts");
    return demoCommand({ ...common, onGate: readOnGate(given) }, io, guard);
  },
};
