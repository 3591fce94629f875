import type { CommandDefinition } from "../definition.ts";
import { BRANCH_OPTION, RUN_ARGUMENT } from "./shared.ts";

export const show: CommandDefinition = {
  name: "show",
  summary: "Show a run: agents, findings, verdicts, experiments, spend",
  description: "A digest of bounded length, made from the journal. `report.md` in the run's folder has the whole report.",
  arguments: [RUN_ARGUMENT],
  options: [BRANCH_OPTION],
  examples: [
    { command: "hypo show last", says: "the newest run" },
    { command: "hypo show last --branch bolder", says: "one of its branches" },
    { command: "hypo show 20260301 --json", says: "for a script" },
  ],
  isPaged: () => true,
  async start(given, common, io) {
    const { showCommand } = await import("../commands/show.ts");
    const { stores } = await import("../stores.ts");
    return showCommand({ ...common, run: given.argument(0) ?? "", branch: given.text("branch") ?? "main" }, io, stores);
  },
};
