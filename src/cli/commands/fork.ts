import { randomBytes } from "node:crypto";
import { forkBranch } from "../../engine/branches.ts";
import { askProcess } from "../../engine/control/ask-process.ts";
import { lockHolder } from "../../engine/journal/lock.ts";
import { systemClock } from "../../engine/system-clock.ts";
import { writeJson, writeOut, type Io } from "../io.ts";
import { findProject } from "../project/project.ts";
import { findRun } from "../runs/find-run.ts";
import { folderOf, withJournal } from "../runs/hold-run.ts";
import { refuseByHand } from "../runs/refuse-by-hand.ts";
import type { ForkOptions } from "./options.ts";

/** Adds a branch at a fact. Of a run at work it is asked from the process that holds it. Nothing is started. */
export async function forkCommand({ run, from, name, reason = "forked by a person", json }: ForkOptions, io: Io): Promise<number> {
  const place = await findRun(await findProject(io.cwd), run);
  await refuseByHand(place, "forked");
  if (await lockHolder(place.folder)) {
    const options = { clock: systemClock, random: randomBytes(4).toString("hex") };
    await askProcess(folderOf(place), { do: "fork", from, name, reason }, options);
  } else await withJournal(place, io, (journal) => forkBranch(journal, { from, name, reason }));
  if (json) writeJson(io, { run: place.id, branch: name, head: from });
  else writeOut(io, `Branch ${name} begins after fact ${from}. Set it to work with: hypo resume ${place.id} --branch ${name}`);
  return 0;
}
