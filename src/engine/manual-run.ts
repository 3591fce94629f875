import type { Config } from "../domain/config.ts";
import { HypoError } from "../domain/errors.ts";
import type { JournalRecord } from "../domain/events.ts";
import { isFact } from "../domain/records.ts";
import type { ExecutionResult } from "../domain/experiment.ts";
import type { Finding } from "../domain/finding.ts";
import { sha256 } from "../domain/hash.ts";
import { itemIdFor, MAIN_BRANCH, makeRunId, type AgentId, type ItemId, type RunId } from "../domain/ids.ts";
import type { Clock } from "../domain/ports.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import type { ExperimentContext } from "./experiments/experiment-context.ts";
import { executePlan, hashCode, settleExecution, type ExperimentCode } from "./experiments/execute-plan.ts";
import { freezePlan, recordPlan, type PlanInput, type RegisteredPlan } from "./experiments/register-plan.ts";
import { Journal } from "./journal/journal.ts";
import type { Ports } from "./run-context.ts";
import { runFolder } from "./run-folder.ts";
import { event, RunLog } from "./run-log.ts";
import { evolve } from "./state/evolve.ts";
import { emptyLedger, evolveLedger } from "./state/ledger.ts";
import { emptyRunState } from "./state/run-state.ts";

/** What a person's own experiments are made of. */
export interface ManualSetup {
  /** The `.hypo` folder. */
  stateFolder: string;
  config: Config;
  ports: Pick<Ports, "sandbox" | "criteria" | "sources" | "project" | "memory">;
  clock: Clock;
  version: string;
  randomHex: (digits: number) => string;
  say: (line: string) => void;
  /** What an experiment at work is doing, as often as it changes. */
  onProgress: (experiment: ItemId, message: string) => void;
  crashAt: (point: string) => void;
  signal: AbortSignal;
}

/** Who acts in a run of this kind. */
const PERSON: AgentId = "person";
const NO_MODEL = "none";
/** The names of the calls that register and publish. */
const REGISTER = "register";
const PUBLISH = "hypothesis";
const WAITING = "waits for `hypo experiments run`";

export interface ManualRegistration extends RegisteredPlan {
  run: RunId;
}

/**
 * Registers a plan by hand: a run of its own, whose journal holds the hypothesis, the frozen plan and every execution.
 *
 * @param input its `hypothesis` is the id of one that memory knows, or a statement, which is then published
 * @throws HypoError `plan_invalid` with every problem; `refused`, `storage_failed`
 */
export async function registerByHand(input: PlanInput, setup: ManualSetup): Promise<ManualRegistration> {
  const { clock, version } = setup;
  const run = makeRunId(clock.now(), input.title, setup.randomHex(4));
  const isKnown = await requireHypothesis(input, setup);
  const hypothesis = isKnown ? input.hypothesis : itemIdFor("h", run, PERSON, PUBLISH, MAIN_BRANCH);
  const frozen = await freezePlan({ ...input, hypothesis }, setup);
  if ("problems" in frozen)
    throw new HypoError("plan_invalid", `The plan is not registered. ${frozen.problems.join(" ")}`, {
      hint: "Mend it and register it again.",
    });
  const folder = runFolder(setup.stateFolder, run);
  const question = `By hand: ${input.title}`;
  const models = { supervisor: NO_MODEL, subagent: NO_MODEL, thinking: "off" } as const;
  const identity = { run, question, models, prompts_sha256: NO_MODEL, hypo: version, pi: NO_MODEL, rehearsal: false };
  const meta = { v: 1, ...identity, created: clock.now().toISOString(), origin: "manual" };
  const id = itemIdFor("x", run, PERSON, REGISTER, MAIN_BRANCH);
  return withRun(run, setup, true, async (log) => {
    await writeFileAtomic(folder.meta, `${JSON.stringify(meta, null, 2)}\n`);
    await log.record(event("run_started", { ...identity, limits: setup.config.limits, budget: setup.config.budget }));
    if (!isKnown) await publishHypothesis(hypothesis, input, run, log, setup);
    const registered = await recordPlan(id, frozen.plan, log.state.hypotheses.get(hypothesis), contextOf(run, REGISTER, log, setup));
    await log.record(event("run_paused", { reason: WAITING }));
    return { run, ...registered };
  });
}

/** An execution by hand, and whether it was made before: by a command that was killed after it had begun. */
export interface ManualExecution {
  result: ExecutionResult;
  isRecovered: boolean;
}

/**
 * Executes a plan that was registered by hand. What a killed command left is settled first; if that was the same
 * code, its result is given and nothing runs twice.
 *
 * @throws HypoError `not_found`, `run_locked`, `run_damaged`, `refused`, `storage_failed`
 */
export async function executeByHand(run: RunId, id: ItemId, program: ExperimentCode, setup: ManualSetup): Promise<ManualExecution> {
  return withRun(run, setup, false, async (log) => {
    const experiment = log.state.experiments.get(id);
    if (!experiment)
      throw new HypoError("not_found", `Run ${run} has no experiment ${id}.`, { hint: "`hypo experiments list` shows them all." });
    await log.record(event("run_resumed", { reason: "run by hand", hypo: setup.version, changes: [] }));
    const context = contextOf(run, `run-${setup.randomHex(8)}`, log, setup);
    try {
      for (const left of experiment.executions.filter(({ finished }) => !finished)) {
        const result = await settleExecution(experiment, left, context);
        if (result && left.codeSha256 === hashCode(program)) return { result, isRecovered: true };
      }
      const result = await executePlan(experiment, program, context);
      // A cancelled one is not recorded by itself, since in a run it is taken up again.
      const last = experiment.executions.at(-1);
      if (last && !last.finished) await settleExecution(experiment, last, context);
      return { result, isRecovered: false };
    } finally {
      await log.record(event("run_paused", { reason: WAITING }));
    }
  });
}

/** Opens or makes the run's journal, and closes it whatever happens. */
async function withRun<T>(run: RunId, setup: ManualSetup, isNew: boolean, work: (log: RunLog) => Promise<T>): Promise<T> {
  const { path } = runFolder(setup.stateFolder, run);
  const [state, ledger] = [emptyRunState(), emptyLedger()];
  const onRecord = (record: JournalRecord): void => {
    if (!isFact(record)) return;
    evolve(state, record);
    evolveLedger(ledger, record);
  };
  const options = { clock: setup.clock, say: setup.say, crashAt: setup.crashAt };
  const journal = isNew ? await Journal.create(path, options) : await Journal.open(path, { ...options, onRecord });
  try {
    return await work(new RunLog(journal, MAIN_BRANCH, state, ledger));
  } finally {
    await journal.close();
  }
}

function contextOf(run: RunId, call: string, log: RunLog, setup: ManualSetup): ExperimentContext {
  const { config, ports, onProgress, crashAt, signal } = setup;
  return { run: { id: run, branch: MAIN_BRANCH, log, config, ports, onProgress, crashAt }, agent: PERSON, call, signal };
}

const IS_ID = /^h-[0-9a-z]+$/;

/** True where the plan names a hypothesis that memory knows, false where it states a new one. */
async function requireHypothesis({ hypothesis }: PlanInput, { ports }: ManualSetup): Promise<boolean> {
  if (IS_ID.test(hypothesis)) {
    if (await ports.memory.read(hypothesis)) return true;
    throw new HypoError("plan_invalid", `hypothesis: memory knows no ${hypothesis}.`, {
      hint: "`hypo memory search type:hypothesis` lists the known ones; a statement makes a new one.",
    });
  }
  if (hypothesis.length >= 10) return false;
  throw new HypoError("plan_invalid", "hypothesis: it needs a statement that can be true or false, or the id of a known hypothesis.");
}

/** A person's hypothesis, as a fact and as a note. */
async function publishHypothesis(id: ItemId, input: PlanInput, run: RunId, log: RunLog, { ports, clock }: ManualSetup): Promise<void> {
  const finding: Finding = {
    id,
    type: "hypothesis",
    status: "hypothetical",
    title: input.title,
    statement: input.hypothesis,
    evidence: [],
    counterevidence: [],
    experiments: [],
    limitations: [],
    related: [],
    negative_result: false,
    run,
    agent: PERSON,
    created: clock.now().toISOString(),
  };
  const note = ports.memory.noteFor(finding);
  await log.record(
    event("finding_published", { agent: PERSON, call: PUBLISH, finding, note: note.path, note_sha256: sha256(note.text) }),
    event("hypothesis_moved", { agent: PERSON, hypothesis: id, from: null, to: "proposed", because: id }),
  );
  await ports.memory.write(note);
}
