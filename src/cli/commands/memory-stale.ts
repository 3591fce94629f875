import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject } from "../project/project.ts";
import { listRuns } from "../runs/find-run.ts";
import { tryReadRun, type RunReading } from "../runs/read-run.ts";
import { staleLines } from "../runs/stale-text.ts";
import { findStaleIn } from "../runs/staleness.ts";
import { stores } from "../stores.ts";
import type { GlobalOptions } from "./options.ts";

const FILE_WIDTH = 200;

/** Lists what of all runs rests on something that changed. */
export async function memoryStaleCommand(options: GlobalOptions, io: Io): Promise<number> {
  const project = await findProject(io.cwd);
  const runs: RunReading[] = [];
  for (const place of await listRuns(project)) {
    const run = await tryReadRun(place, stores);
    if ("problem" in run) writeErr(io, `${run.id} is damaged and left out: ${run.problem}`);
    else runs.push(run);
  }
  const items = project ? await findStaleIn(project.state, runs) : [];
  if (options.json) writeJson(io, { stale: items });
  else if (items.length === 0) writeErr(io, "Nothing is stale.");
  else {
    const paint = painterFor(io.color.stdout);
    const lines = items.flatMap((item) => {
      const [head = "", ...rest] = staleLines(item, terminalWidth(io) ?? FILE_WIDTH);
      return [head].concat(rest.map((line) => paint("dim", `  ${line}`)));
    });
    writeOut(io, lines.join("\n"));
  }
  return 0;
}
