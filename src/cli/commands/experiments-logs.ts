import { join } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import { writeJson, writeOut, type Io } from "../io.ts";
import { plainBlock } from "../output/plain-text.ts";
import { findProject } from "../project/project.ts";
import { pickById, storedExperiments } from "../runs/find-experiment.ts";
import type { ExperimentsLogsOptions } from "./options.ts";

/** Prints what an execution wrote, as far as it is kept: made harmless for a terminal, byte for byte elsewhere. */
export async function experimentsLogsCommand(options: ExperimentsLogsOptions, io: Io): Promise<number> {
  const project = await findProject(io.cwd);
  const experiment = pickById(await storedExperiments(project), (id) => id, options.experiment);
  const { ExperimentStore } = await import("../../sandbox/index.ts");
  const store = new ExperimentStore(join(project?.state ?? "", "experiments"));
  const execution = options.execution ?? (await store.executions(experiment)).at(-1);
  const result = execution === undefined ? undefined : await store.result(experiment, execution);
  if (result === undefined)
    throw new HypoError("not_found", `${experiment} has no ${execution === undefined ? "execution yet" : `execution ${execution}`}.`, {
      hint: "`hypo experiments show` lists its executions.",
    });
  const logs = await store.logs(experiment, result.execution);
  const bytes = options.stderr ? logs.stderr : logs.stdout;
  if (options.json) {
    const written = options.stderr ? result.stderr_bytes : result.stdout_bytes;
    const stream = options.stderr ? "stderr" : "stdout";
    writeJson(io, { experiment, execution: result.execution, stream, bytes: written, text: bytes.toString("utf8") });
  } else if (io.isTty.stdout) writeOut(io, plainBlock(bytes.toString("utf8")));
  else io.stdout.write(bytes);
  return 0;
}
