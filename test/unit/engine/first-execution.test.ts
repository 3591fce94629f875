import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { CONFIG_DEFAULT } from "../../../src/domain/config.ts";
import { ExecutionResult } from "../../../src/domain/experiment.ts";
import { hashOf } from "../../../src/domain/hash.ts";
import { OneAtATime } from "../../../src/domain/one-at-a-time.ts";
import type { ExecutionRequest } from "../../../src/domain/ports.ts";
import { forkBranch, rewindBranch } from "../../../src/engine/branches.ts";
import { decideReview, firstDeciding } from "../../../src/engine/decide/experiment.ts";
import { Journal } from "../../../src/engine/journal/journal.ts";
import type { RunContext } from "../../../src/engine/run-context.ts";
import { event, RunLog } from "../../../src/engine/run-log.ts";
import { evolve } from "../../../src/engine/state/evolve.ts";
import { emptyLedger } from "../../../src/engine/state/ledger.ts";
import { emptyRunState } from "../../../src/engine/state/run-state.ts";
import { runExperiment } from "../../../src/engine/tools/run-experiment.ts";
import { samplePlan } from "../../support/samples.ts";
import { hypothesis, RUN, runStarted, spawned } from "./fact-lists.ts";

const EXPERIMENT = "x-1";
const INPUT = { experiment: EXPERIMENT, files: [{ path: "main.py", content: "pass" }], command: ["python3", "/work/main.py"] };

/** A sandbox in memory: results stay until asked for, and an execution lasts until a test ends it. */
class HeldSandbox {
  readonly begun: ExecutionRequest[] = [];
  readonly results = new Map<number, ExecutionResult>();
  private readonly held: (() => void)[] = [];

  savePlan = (): Promise<void> => Promise.resolve();
  requireFiles = (): void => undefined;
  reconcile = ({ execution }: { execution: number }) => Promise.resolve(this.results.get(execution));

  async execute(request: ExecutionRequest): Promise<ExecutionResult> {
    this.begun.push(request);
    await new Promise<void>((resolve) => this.held.push(resolve));
    const result = resultOf(request.execution, request.confirmatory, "met");
    this.results.set(request.execution, result);
    return result;
  }

  /** Ends the execution that began last, once it has begun. */
  async end(count: number): Promise<void> {
    await vi.waitUntil(() => this.begun.length === count);
    this.held.at(-1)?.();
  }
}

function resultOf(execution: number, confirmatory: boolean, outcome: "met" | "refuted"): ExecutionResult {
  const printed = { stdout_head: "", stdout_tail: "", stderr_head: "", stderr_tail: "", stdout_bytes: 0, stderr_bytes: 0 };
  const hashes = { plan_sha256: "p", code_sha256: "c" };
  const place = { v: 1, experiment: EXPERIMENT, execution, confirmatory, command: ["python3"], image: "i" };
  const end = { status: "completed", exit_code: 0, outcome, metrics: { ratio: 1 }, limits_hit: [], environment: {} };
  const times = { started_at: "2026-03-01T12:00:00.000Z", ended_at: "2026-03-01T12:00:01.000Z" };
  return ExecutionResult.parse({ ...place, ...hashes, ...end, ...printed, ...times, files: [], artifacts: [] });
}

/** A run whose agent root.1 has registered x-1, with its branches as one process works on them. */
async function openRun() {
  const folder = await mkdtemp(join(tmpdir(), "hypo-first-"));
  const journal = await Journal.create(folder, {
    clock: { now: () => new Date() } as never,
    say: () => undefined,
    crashAt: () => undefined,
  });
  onTestFinished(async () => {
    await journal.close();
    await rm(folder, { recursive: true });
  });
  const [ledger, sandbox, tests] = [emptyLedger(), new HeldSandbox(), new OneAtATime()];
  const open = async (branch: string) => {
    const state = emptyRunState();
    if (journal.heads.has(branch)) for await (const fact of journal.ancestry(branch)) evolve(state, fact);
    const log = new RunLog(journal, branch, state, ledger);
    const ports = { sandbox, criteria: {}, sources: {}, project: {} };
    const notes = { crashAt: () => undefined, onProgress: () => undefined };
    const run = { id: RUN, branch, log, tests, experiments: new OneAtATime(), ports, config: CONFIG_DEFAULT, ...notes } as unknown;
    return { log, run: run as RunContext };
  };
  const main = await open("main");
  const plan = samplePlan("h-1");
  await main.log.record(runStarted(), spawned("root"), spawned("root.1"), spawned("root.2"), hypothesis("h-1", "Insertion wins."));
  await main.log.record(event("plan_registered", { agent: "root.1", call: "p", experiment: EXPERIMENT, plan, plan_sha256: hashOf(plan) }));
  return { journal, ledger, sandbox, open, main };
}

function execute(run: RunContext, agent: string, signal = new AbortController().signal) {
  const context = { run, agent, call: `c-${agent}`, began: "2026-03-01T12:00:00.000Z", signal };
  return runExperiment.run(INPUT, context);
}

describe("the first execution of a test", () => {
  it("is made alone, where two agents run the same experiment together", async () => {
    const { sandbox, ledger, main } = await openRun();
    const both = Promise.all([execute(main.run, "root.1"), execute(main.run, "root.2")]);
    await sandbox.end(1);
    await sandbox.end(2);
    await both;
    expect(sandbox.begun.map(({ agent, execution, confirmatory }) => [agent, execution, confirmatory])).toEqual([
      ["root.1", 1, true],
      ["root.2", 2, false],
    ]);
    expect(firstDeciding(ledger, EXPERIMENT)).toMatchObject({ execution: 1 });
  });

  it("is made alone, where two branches of a run go on together", async () => {
    const { journal, sandbox, open, main } = await openRun();
    await forkBranch(journal, { from: main.log.state.head, name: "side", reason: "a test" });
    const side = await open("side");
    const both = Promise.all([execute(main.run, "root.1"), execute(side.run, "root.1")]);
    await sandbox.end(1);
    await sandbox.end(2);
    await both;
    expect(sandbox.begun.map(({ branch, confirmatory }) => [branch, confirmatory])).toEqual([
      ["main", true],
      ["side", false],
    ]);
  });

  it("stays the one that had ended when hypo was killed before it could say so, and the run was rewound", async () => {
    const { journal, ledger, sandbox, open, main } = await openRun();
    const before = main.log.state.head;
    const begun = { agent: "root.1", call: "c", experiment: EXPERIMENT, execution: 1 };
    await main.log.record(event("experiment_started", { ...begun, plan_sha256: "p", code_sha256: "c", command: ["python3"] }));
    sandbox.results.set(1, resultOf(1, true, "refuted"));
    await rewindBranch(journal, "main", before, "a test");
    const rewound = await open("main");
    const again = execute(rewound.run, "root.1");
    await sandbox.end(1);
    await again;
    expect(sandbox.begun[0]).toMatchObject({ execution: 2, confirmatory: false });
    expect(firstDeciding(ledger, EXPERIMENT)).toMatchObject({ execution: 1, end: { outcome: "refuted" } });
    const experiment = rewound.log.state.experiments.get(EXPERIMENT);
    if (!experiment) throw new Error("no experiment");
    const draft = {
      reviewer: "root.2",
      verdict: "supported" as const,
      summary: "It was met.",
      limitations: [],
      disagreementReason: undefined,
    };
    expect(decideReview(rewound.log.state, ledger, experiment, draft, "2026-03-01T12:00:00.000Z")).toEqual({
      refused: expect.stringContaining("execution 1 of x-1 decided before it") as string,
    });
  });

  it("keeps nobody waiting who is cancelled meanwhile", async () => {
    const { sandbox, main } = await openRun();
    const first = execute(main.run, "root.1");
    await expect.poll(() => sandbox.begun.length).toBe(1);
    const cancel = new AbortController();
    const second = execute(main.run, "root.2", cancel.signal);
    cancel.abort();
    expect(await second).toMatchObject({ isError: true, text: "It was cancelled before it ran." });
    await sandbox.end(1);
    await first;
    expect(sandbox.begun).toHaveLength(1);
  });
});
