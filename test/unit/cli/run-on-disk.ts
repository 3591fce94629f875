import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../../src/domain/events.ts";
import { Journal } from "../../../src/engine/journal/journal.ts";
import { systemClock } from "../../../src/engine/system-clock.ts";
import { RUN, type FactList } from "./a-run.ts";
import { addRun, testFolder } from "./test-project.ts";

/** A project with one run whose journal lies on disk. */
export interface RunOnDisk {
  root: string;
  folder: string;
  /** Opens the journal to write, and closes it again. */
  write: (change: (journal: Journal) => void) => Promise<void>;
  /** Says what the run's process does. Pid 1 is alive to `testStores`. */
  setProcess: (state: string) => void;
}

export async function runOnDisk(list: FactList): Promise<RunOnDisk> {
  const root = testFolder();
  const folder = await putRun(root, RUN, list);
  const write = async (opening: Promise<Journal>, change: (journal: Journal) => void): Promise<void> => {
    const journal = await opening;
    change(journal);
    await journal.close();
  };
  return {
    root,
    folder,
    write: (change) => write(Journal.open(folder, { clock: systemClock }), change),
    setProcess: (state) =>
      writeFileSync(
        join(folder, "status.json"),
        JSON.stringify({ v: 1, state, pid: 1, pid_started: "1", boot: "b", heartbeat: "2026-03-01T12:00:10.000Z", branches: ["main"] }),
      ),
  };
}

/** Adds a run with its journal to a project, and gives its folder. */
export async function putRun(root: string, run: string, list: FactList): Promise<string> {
  const folder = addRun(root, run);
  const journal = await Journal.create(folder, { clock: systemClock });
  journal.append("main", 0, eventsOf(list));
  await journal.close();
  return folder;
}

function eventsOf(list: FactList): RunEvent[] {
  return list.facts.map(({ type, data }) => ({ type, data }) as RunEvent);
}
