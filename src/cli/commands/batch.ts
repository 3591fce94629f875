import { basename, resolve } from "node:path";
import type { Config } from "../../domain/config.ts";
import type { BatchItem } from "../batch/batch-line.ts";
import { refuseSharedFiles } from "../batch/output-files.ts";
import { BatchStore } from "../batch/batch-store.ts";
import { ResultPublisher, sayTotals } from "../batch/publish-results.ts";
import { readBatch } from "../batch/read-batch.ts";
import { exitCodeOf, runBatch } from "../batch/run-batch.ts";
import { loadConfig } from "../config/load.ts";
import { writeErr, type Io } from "../io.ts";
import { checkMaterial, placeOf } from "../material/check-material.ts";
import { plainLine } from "../output/plain-text.ts";
import { withProject } from "../project/fresh-project.ts";
import { chooseProject, findProject, type Project } from "../project/project.ts";
import { withSignals } from "../signals.ts";
import type { StartGuard } from "../start-guard.ts";
import type { BatchOptions } from "./options.ts";

/** Researches every question of a file; the same file again goes on with what is unfinished. Resolves to the exit code. */
export async function batchCommand(options: BatchOptions, io: Io, guard: StartGuard): Promise<number> {
  const file = resolve(io.cwd, options.file);
  await refuseSharedFiles(file, options, io);
  // Without the batch's own cap, which is that of all runs together.
  const { config } = await loadConfig(io, { ...options, maxCost: undefined });
  const items = await readQuestions(file, { options, config, io });
  return withProject(await chooseProject(io.cwd), (project) => research(file, items, { options, project, config, io, guard }));
}

interface BatchWork {
  options: BatchOptions;
  project: Project;
  config: Config;
  io: Io;
  guard: StartGuard;
}

async function research(file: string, items: readonly BatchItem[], { options, project, config, io, guard }: BatchWork): Promise<number> {
  const store = await BatchStore.open(project, file);
  try {
    store.refuseOtherQuestions(items);
    const publisher = new ResultPublisher(basename(file), items, options, io);
    await publisher.write();
    const { endedBy } = await withSignals(async (signal) => {
      guard.release();
      await runBatch({
        items,
        usualCap: config.budget.usd,
        options,
        project,
        store,
        io,
        signal,
        onStart: ({ id }) => writeErr(io, plainLine(`${id}  begun`)),
        onEnd: (result) => publisher.add(result),
      });
      // Here still, so that nothing that asks to end takes the results of what has ended.
      await publisher.finish();
    });
    const results = publisher.results();
    sayTotals(results, io);
    if (endedBy !== undefined) writeErr(io, "The runs are saved. The same batch again goes on with them.");
    return endedBy ?? exitCodeOf(results);
  } finally {
    await store.close();
  }
}

/** The questions, once what is given to them as material has been looked at. */
async function readQuestions(
  file: string,
  { options, config, io }: { options: BatchOptions; config: Config; io: Io },
): Promise<BatchItem[]> {
  const place = placeOf(io, config);
  const begun = await BatchStore.begun(await findProject(io.cwd), file);
  const hasBegun = ({ id }: BatchItem): boolean => begun.has(id);
  const items = await readBatch(file, { ...place, hasBegun });
  if (!items.every(hasBegun)) await checkMaterial(options.context, place);
  return items;
}
