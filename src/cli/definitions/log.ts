import type { CommandDefinition } from "../definition.ts";
import { RUN_ARGUMENT } from "./shared.ts";

export const log: CommandDefinition = {
  name: "log",
  summary: "Print the facts of a run",
  description:
    "One line a record, in the order they were made, with the number that `hypo fork` and `hypo rewind` take; with --json as JSON lines. " +
    "With --follow it goes on while the run is at work.",
  arguments: [RUN_ARGUMENT],
  options: [
    { name: "branch", value: { name: "name", kind: "text" }, summary: "only facts on the line of this branch (default: all)" },
    {
      name: "type",
      value: { name: "type", kind: "text" },
      repeatable: true,
      summary: "only facts of this type; may be given several times",
    },
    { name: "follow", summary: "go on with what comes, until the run's process ends" },
  ],
  examples: [
    { command: "hypo log last --type finding_published --type review_recorded", says: "what was found and judged" },
    { command: "hypo log last --follow --json", says: "for a script that watches" },
  ],
  isPaged: (given) => !given.isSet("follow"),
  async start(given, common, io) {
    const { logCommand } = await import("../commands/log.ts");
    const { stores } = await import("../stores.ts");
    const options = { branch: given.text("branch"), types: given.texts("type"), follow: given.isSet("follow") };
    return logCommand({ ...common, ...options, run: given.argument(0) ?? "" }, io, stores);
  },
};
