import { writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject } from "../project/project.ts";
import { digestOf } from "../runs/digest.ts";
import { digestLines } from "../runs/digest-text.ts";
import { findRun } from "../runs/find-run.ts";
import { readRun } from "../runs/read-run.ts";
import { staleSummary } from "../runs/stale-text.ts";
import { findStaleIn } from "../runs/staleness.ts";
import type { Stores } from "../stores.ts";
import type { ShowOptions } from "./options.ts";

const FOR_PEOPLE = { agents: 60, findings: 30, others: 30 };
const FOR_PROGRAMS = { agents: 5000, findings: 1000, others: 1000 };
/** Line width where the output is no terminal. */
const FILE_WIDTH = 200;

/** Shows a digest of one run. */
export async function showCommand(options: ShowOptions, io: Io, stores: Stores): Promise<number> {
  const project = await findProject(io.cwd);
  const run = await readRun(await findRun(project, options.run), stores);
  const now = io.now().getTime();
  const stale = project ? await findStaleIn(project.state, [run]) : [];
  if (options.json) {
    writeJson(io, { ...digestOf(run, FOR_PROGRAMS, now), stale });
    return 0;
  }
  const paint = painterFor(io.color.stdout);
  const lines = digestLines(digestOf(run, FOR_PEOPLE, now), terminalWidth(io) ?? FILE_WIDTH, now, paint);
  const summary = staleSummary(stale);
  writeOut(io, [...lines, ...(summary === undefined ? [] : ["", paint("warn", summary)])].join("\n"));
  return 0;
}
