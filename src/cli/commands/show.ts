import { writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject } from "../project/project.ts";
import { digestOf } from "../runs/digest.ts";
import { digestLines } from "../runs/digest-text.ts";
import { findRun } from "../runs/find-run.ts";
import { readRun } from "../runs/read-run.ts";
import type { Stores } from "../stores.ts";
import type { ShowOptions } from "./options.ts";

const FOR_PEOPLE = { agents: 60, findings: 30, others: 30 };
const FOR_PROGRAMS = { agents: 5000, findings: 1000, others: 1000 };
/** Line width where the output is no terminal. */
const FILE_WIDTH = 200;

/** Shows a digest of one run. */
export async function showCommand(options: ShowOptions, io: Io, stores: Stores): Promise<number> {
  const run = await readRun(await findRun(await findProject(io.cwd), options.run), stores, options.branch);
  const now = io.now().getTime();
  if (options.json) writeJson(io, digestOf(run, FOR_PROGRAMS, now));
  else
    writeOut(io, digestLines(digestOf(run, FOR_PEOPLE, now), terminalWidth(io) ?? FILE_WIDTH, now, painterFor(io.color.stdout)).join("\n"));
  return 0;
}
