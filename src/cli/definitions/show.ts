import type { CommandDefinition } from "../definition.ts";
import { RUN_ARGUMENT } from "./shared.ts";

export const show: CommandDefinition = {
  name: "show",
  summary: "Show a run: agents, findings, verdicts, experiments, spend",
  description: "A digest of bounded length, made from the journal. `report.md` in the run's folder has the whole report.",
  arguments: [RUN_ARGUMENT],
  options: [],
  examples: [
    { command: "hypo show last", says: "the newest run" },
    { command: "hypo show 20260301 --json", says: "for a script" },
  ],
  async start(given, common, io) {
    const { showCommand } = await import("../commands/show.ts");
    const { stores } = await import("../stores.ts");
    return showCommand({ ...common, run: given.argument(0) ?? "" }, io, stores);
  },
};
