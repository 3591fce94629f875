import { HypoError } from "../../domain/errors.ts";
import type { CommandDefinition } from "../definition.ts";
import { RUN_ARGUMENT, WHICH_BRANCH_OPTION } from "./shared.ts";

export const respond: CommandDefinition = {
  name: "respond",
  summary: "Answer a question that a run has put to you",
  description:
    "Answers the open gate of a run. The first answer stands; giving the same one again is fine. " +
    "A run that waits goes on by itself, one that ended with exit code 8 goes on with `hypo resume`.",
  arguments: [RUN_ARGUMENT, { name: "gate", summary: "the gate's number, as the run printed it", required: true }],
  options: [
    { name: "event", value: { name: "event", kind: "text" }, summary: "what happens at the gate (default: ANSWER)" },
    WHICH_BRANCH_OPTION,
    { name: "output", value: { name: "json", kind: "text" }, summary: "the answer, as JSON" },
  ],
  examples: [{ command: `hypo respond last 41 --output '"use the 2020 data"'`, says: "answer gate 41 of the newest run" }],
  async start(given, common, io) {
    const [run = "", gate = ""] = [given.argument(0), given.argument(1)];
    if (!/^\d+$/.test(gate))
      throw new HypoError("usage", `A gate is named by its number, not ${JSON.stringify(gate)}.`, {
        hint: "`hypo show` says which gate is open.",
      });
    const { respondCommand } = await import("../commands/respond.ts");
    const { stores } = await import("../stores.ts");
    return respondCommand(
      {
        ...common,
        run,
        gate: Number(gate),
        event: given.text("event") ?? "ANSWER",
        branch: given.text("branch"),
        output: given.text("output"),
      },
      io,
      stores,
    );
  },
};
