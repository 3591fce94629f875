import { writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { tableLines } from "../output/table.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject } from "../project/project.ts";
import { toneOfState } from "../runs/digest-text.ts";
import { findRun } from "../runs/find-run.ts";
import { branchStates, isBranchLive, shownState } from "../runs/read-run.ts";
import { readRunProcess } from "../runs/run-files.ts";
import type { Stores } from "../stores.ts";
import type { BranchesOptions } from "./options.ts";

/** Lists the branches of a run with their heads. */
export async function branchesCommand(options: BranchesOptions, io: Io, stores: Stores): Promise<number> {
  const { id, folder } = await findRun(await findProject(io.cwd), options.run);
  const process = await readRunProcess(folder);
  const branches = (await branchStates(await stores.readRun(folder, id))).map(({ name, head, state }) => {
    const isLive = isBranchLive(process, name, stores);
    return {
      branch: name,
      head,
      state: shownState(state, isLive),
      live: isLive,
      agents: state.agents.size,
      findings: state.findings.size,
      iterations: state.iterations.length,
    };
  });
  if (options.json) writeJson(io, { run: id, branches });
  else writeOut(io, tableOf(branches, io).join("\n"));
  return 0;
}

type Entry = { branch: string; head: number; state: string; agents: number; findings: number; iterations: number };

function tableOf(branches: readonly Entry[], io: Io): string[] {
  return tableLines<Entry>(
    [
      { title: "BRANCH", value: (row) => row.branch },
      { title: "HEAD", value: (row) => String(row.head), side: "right" },
      { title: "STATE", value: (row) => row.state, tone: (row) => toneOfState(row.state) },
      { title: "ITERATIONS", value: (row) => String(row.iterations), side: "right" },
      { title: "AGENTS", value: (row) => String(row.agents), side: "right" },
      { title: "FINDINGS", value: (row) => String(row.findings), side: "right" },
    ],
    branches,
    terminalWidth(io),
    painterFor(io.color.stdout),
  );
}
