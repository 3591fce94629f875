/** Runs an experiment by hypo's sandbox, after one to warm up. Arguments: folder, times, at once. */
import { TestPlan } from "../../src/domain/experiment.ts";
import { hashOf } from "../../src/domain/hash.ts";
import { CONFIG_DEFAULT } from "../../src/domain/config.ts";
import { COMMAND, IMAGE, PROGRAM, runAtOnce } from "../fixtures/experiment.ts";
import { importBuilt } from "../harness/contender.ts";
import { handFigures } from "../harness/measure.ts";
import { median } from "../harness/statistics.ts";

const [folder = "", times = "", width = ""] = process.argv.slice(2);
const { createSandbox } = await importBuilt<typeof import("../../src/sandbox/index.ts")>("sandbox/index.ts");
const { systemClock } = await importBuilt<typeof import("../../src/engine/system-clock.ts")>("engine/system-clock.ts");

const experiment = { ...CONFIG_DEFAULT.experiment, image: IMAGE, concurrency: Number(width) };
const sandbox = createSandbox({ folder, experiment, clock: systemClock, version: "bench" });
const plan = TestPlan.parse({
  hypothesis: "h-0000000001",
  title: "Sorting",
  method: "Sort numbers.",
  metrics: [{ name: "x" }],
  image: IMAGE,
  success_criterion: "metrics.x < 1.0",
  refutation_criterion: "metrics.x >= 1.0",
});
const code = { "main.py": PROGRAM };

await execute("warm-up");
const took = await runAtOnce(Number(times), Number(width), (index) => execute(`x-${index}`));
handFigures({ roundMs: median(took) });

async function execute(id: string): Promise<void> {
  const { status, outcome, reason } = await sandbox.execute({
    run: `20260101-000000-bench-${process.pid.toString(16).padStart(4, "0").slice(-4)}`,
    branch: "main",
    agent: "root.1",
    call: id,
    experiment: id,
    execution: 1,
    confirmatory: true,
    plan,
    planSha256: hashOf(plan),
    code,
    codeSha256: hashOf(code),
    command: COMMAND,
    data: {},
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  if (status !== "completed" || outcome !== "met") throw new Error(`the experiment ended ${status}, ${outcome}: ${reason ?? ""}`);
}
