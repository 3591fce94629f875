import { join } from "node:path";
import { makeFindingsRun } from "../fixtures/findings-run.ts";
import { contender } from "../harness/contender-file.ts";
import type { Measure, Row } from "../harness/row.ts";

const SIZES = [125, 250, 500];

export const report: Row = {
  name: "report",
  title: "Report: render and verify",
  caveat:
    "The input is a real run whose scripted agents publish findings, each with a quote from the same page, and whose report claims " +
    "every one. hypo renders HTML from the journal, with citations, quotes and references worked out anew; marked only turns the " +
    "finished Markdown of the report into HTML. hypo verifies every fact, note, quote and sentence of the report; the other side only hashes every " +
    "file of the project. Times are of the work, without the start.",
  async measure(bench) {
    const runs = new Map<number, string>();
    const sizes = bench.quick ? [5, 10] : SIZES;
    for (const size of sizes) runs.set(size, await makeFindingsRun(join(bench.folder, String(size)), size));
    const workMs = (what: string): Measure => ({ what, unit: "ms", of: ({ figures }) => figures["workMs"], grows: true });
    const placeOf = (size: number): [project: string, run: string] => [join(bench.folder, String(size)), runs.get(size) ?? ""];
    await bench.compareSizes(sizes, "findings", async (size) => {
      const [project, run] = placeOf(size);
      return {
        hypo: contender("hypo", "report-render", [project, run]),
        others: [contender("marked", "report-marked", [join(project, ".hypo/runs", run, "report.md")])],
        measures: [workMs("render as HTML")],
      };
    });
    await bench.compareSizes(sizes, "findings", async (size) => {
      const [project, run] = placeOf(size);
      return {
        hypo: contender("hypo", "report-verify", [project, run]),
        others: [contender("SHA-256 of every file", "report-hash", [project])],
        measures: [workMs("verify")],
      };
    });
  },
};
