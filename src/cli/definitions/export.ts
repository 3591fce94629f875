import { EXPORT_FORMATS } from "../commands/options.ts";
import type { CommandDefinition } from "../definition.ts";
import { BRANCH_OPTION, CHECK_REFS_OPTION, RUN_ARGUMENT } from "./shared.ts";

export const exportReport: CommandDefinition = {
  name: "export",
  summary: "Write a run's report as Markdown, HTML, JSON or BibTeX",
  description:
    "Made from the journal, so it also works for a run that has no report yet. HTML is one file without scripts that loads " +
    "nothing from anywhere: quotes show at their citations, metrics as charts.",
  arguments: [RUN_ARGUMENT],
  options: [
    { name: "format", value: { name: "format", kind: "text", choices: EXPORT_FORMATS }, summary: "what to write; default md" },
    { name: "out", value: { name: "file", kind: "text", completes: "file" }, summary: "write to this file instead of stdout" },
    BRANCH_OPTION,
    CHECK_REFS_OPTION,
  ],
  examples: [
    { command: "hypo export last --format html --out report.html", says: "one file to hand on" },
    { command: "hypo export last --format bibtex", says: "the references" },
  ],
  isPaged: (given) => !given.isSet("out"),
  async start(given, common, io) {
    const { exportCommand } = await import("../commands/export.ts");
    const format = EXPORT_FORMATS.find((each) => each === given.text("format")) ?? "md";
    const which = { run: given.argument(0) ?? "", branch: given.text("branch") ?? "main" };
    return exportCommand({ ...common, ...which, format, out: given.text("out"), checkRefs: given.isSet("check-refs") }, io);
  },
};
