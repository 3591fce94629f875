import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { plainLine } from "../output/plain-text.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject } from "../project/project.ts";
import { staleLines } from "../runs/stale-text.ts";
import { findAllStale } from "../runs/staleness.ts";
import type { Stores } from "../stores.ts";
import type { GlobalOptions } from "./options.ts";

const FILE_WIDTH = 200;

/** Lists what of all runs rests on something that changed. */
export async function memoryStaleCommand(options: GlobalOptions, io: Io, stores: Stores): Promise<number> {
  const project = await findProject(io.cwd);
  const items = project ? await findAllStale(project, stores, (line) => writeErr(io, plainLine(line))) : [];
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
