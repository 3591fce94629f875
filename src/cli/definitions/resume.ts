import type { CommandDefinition } from "../definition.ts";
import { CAP_OPTIONS, ON_GATE_OPTION, readCaps, readOnGate, RUN_ARGUMENT } from "./shared.ts";

export const resume: CommandDefinition = {
  name: "resume",
  summary: "Continue a run that was stopped, interrupted or killed",
  description:
    "Continues from the journal: nothing that was recorded is asked or executed again. Caps given here replace those of the run, " +
    "so that a run which ended on its budget can go on.",
  arguments: [RUN_ARGUMENT],
  options: [...CAP_OPTIONS, ON_GATE_OPTION],
  examples: [
    { command: "hypo resume last", says: "continue the newest run" },
    { command: "hypo resume 20260301-0915 --max-cost 10", says: "continue with a larger budget" },
  ],
  async start(given, common, io) {
    const { resumeCommand } = await import("../commands/resume.ts");
    return resumeCommand({ ...common, ...readCaps(given), onGate: readOnGate(given), run: given.argument(0) ?? "" }, io);
  },
};
