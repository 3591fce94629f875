import { readFile } from "node:fs/promises";
import type { AgentSpec } from "../domain/agent.ts";
import type { Config } from "../domain/config.ts";
import { HypoError } from "../domain/errors.ts";
import { isFact, type EventData, type Fact, type JournalRecord, type RunEvent } from "../domain/events.ts";
import { hashOf } from "../domain/hash.ts";
import { MAIN_BRANCH, makeRunId, ROOT_AGENT, type AgentId, type RunId } from "../domain/ids.ts";
import type { Budget, Limits } from "../domain/limits.ts";
import type { Clock } from "../domain/ports.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { AgentTree } from "./agent/agent-tree.ts";
import { renderSpec } from "./agent/spec.ts";
import type { EngineCrashPoint } from "./crash-points.ts";
import { Governor } from "./governor.ts";
import { Journal } from "./journal/journal.ts";
import { LiveRun } from "./live-run.ts";
import { PROMPTS_SHA256 } from "./prompts/system-prompts.ts";
import { recallAgents } from "./recall.ts";
import type { Ports, RunContext, RunModels } from "./run-context.ts";
import { runFolder, type RunFolder } from "./run-folder.ts";
import { event, RunLog } from "./run-log.ts";
import { RunMeta } from "./run-meta.ts";
import { RunStatus } from "./run-status.ts";
import { evolve } from "./state/evolve.ts";
import { emptyLedger, evolveLedger } from "./state/ledger.ts";
import { emptyRunState, type RunState } from "./state/run-state.ts";
import { ROOT_TOOL_NAMES } from "./tools/tool-names.ts";

/** Everything a run is made of. */
export interface RunSetup {
  /** The `.hypo` folder. */
  stateFolder: string;
  config: Config;
  models: RunModels;
  ports: Ports;
  clock: Clock;
  versions: { hypo: string; pi: string };
  rehearsal: boolean;
  onGate: "wait" | "exit" | "fail";
  /** Between 0 and 1. */
  random: () => number;
  randomHex: (digits: number) => string;
  say: (line: string) => void;
  /** Called with every fact once it is durable. */
  onFact: (fact: Fact) => void;
  onDelta: (agent: AgentId, delta: string) => void;
  crashAt: (point: string) => void;
}

/** Starts a run. The promise resolves when its first facts are durable; `done` when its work is over. */
export async function startRun(question: string, setup: RunSetup): Promise<LiveRun> {
  const { clock, config, models, versions } = setup;
  const id = makeRunId(clock.now(), question, setup.randomHex(4));
  const folder = runFolder(setup.stateFolder, id);
  const refs = { supervisor: models.supervisor.ref, subagent: models.subagent.ref, thinking: models.thinking };
  const identity = {
    run: id,
    question,
    models: refs,
    prompts_sha256: PROMPTS_SHA256,
    hypo: versions.hypo,
    pi: versions.pi,
    rehearsal: setup.rehearsal,
  };
  const meta: RunMeta = { v: 1, ...identity, created: clock.now().toISOString(), origin: "run" };
  await writeFileAtomic(folder.meta, `${JSON.stringify(meta, null, 2)}\n`);
  const journal = await Journal.create(folder.path, journalOptions(setup));
  const log = new RunLog(journal, MAIN_BRANCH, emptyRunState(), emptyLedger());
  log.subscribe(setup.onFact);
  await log.record(event("run_started", { ...identity, limits: config.limits, budget: config.budget }), spawnRoot(id, setup));
  setup.crashAt("run.created");
  return makeLive(id, folder, journal, log, setup, async (run) => {
    await writeFileAtomic(folder.agentSpec(ROOT_AGENT), renderSpec(rootSpec(run.id, setup)));
  });
}

/** Limits raised for a resumed run; what is left out stays. */
export interface Raise {
  limits: Partial<Limits>;
  budget: Partial<Budget>;
}

/**
 * Goes on with a run where its journal ends. What is recorded is played again, not asked or done again.
 *
 * @throws HypoError `run_locked`, `run_damaged`, `refused` for a run that is over or never began.
 */
export async function resumeRun(id: RunId, setup: RunSetup, raise: Raise): Promise<LiveRun> {
  const folder = runFolder(setup.stateFolder, id);
  const ledger = emptyLedger();
  const folded = emptyRunState();
  const onRecord = (record: JournalRecord): void => {
    if (!isFact(record)) return;
    evolveLedger(ledger, record);
    evolve(folded, record);
  };
  const journal = await Journal.open(folder.path, { ...journalOptions(setup), onRecord });
  try {
    // Without forks the head's ancestry is every fact, and those have just been folded.
    const state = journal.isUnforked ? folded : await projectBranch(journal, MAIN_BRANCH);
    if (!state.agents.has(ROOT_AGENT)) throw neverBegan(id);
    const log = new RunLog(journal, MAIN_BRANCH, state, ledger);
    log.subscribe(setup.onFact);
    const recalls = await recallAgents(journal.ancestry(MAIN_BRANCH));
    await log.record(takeOver(state, setup, raise));
    return makeLive(id, folder, journal, log, setup, (run) => {
      run.tree.resume(recalls);
      return Promise.resolve();
    });
  } catch (error) {
    await journal.close();
    throw error;
  }
}

async function projectBranch(journal: Journal, branch: string): Promise<RunState> {
  const state = emptyRunState();
  for await (const fact of journal.ancestry(branch)) evolve(state, fact);
  return state;
}

function neverBegan(id: RunId): HypoError {
  return new HypoError("refused", `Run ${id} never began: hypo was interrupted before anything of it was recorded.`, {
    hint: "Ask its question again with `hypo run`.",
  });
}

/** The fact of a new process taking over, or why it may not. */
function takeOver(state: RunState, setup: RunSetup, raise: Raise): RunEvent {
  const over = state.finish;
  const stoppedByLimit = over !== undefined && ["budget_exhausted", "wall_time", "iteration_limit"].includes(over.reason);
  const limits = Object.keys(raise.limits).length > 0 ? { ...state.limits, ...raise.limits } : undefined;
  const budget = Object.keys(raise.budget).length > 0 ? { ...state.budget, ...raise.budget } : undefined;
  const raised = limits !== undefined || budget !== undefined;
  if (over && !(stoppedByLimit && raised)) {
    const hint = stoppedByLimit
      ? "Raise the limit that stopped it, for example `--max-cost`, `--max-time` or `--max-iterations`."
      : "Read its report with `hypo show`, or ask a new question with `hypo run`.";
    throw new HypoError("refused", `Run ${state.run} is over (${over.reason}: ${over.detail}).`, { hint });
  }
  const changes: EventData<"run_resumed">["changes"] = [];
  if (state.hypo !== setup.versions.hypo) changes.push({ what: "hypo", from: state.hypo, to: setup.versions.hypo });
  if (budget) changes.push({ what: "budget", from: state.budget, to: budget });
  if (limits) changes.push({ what: "limits", from: state.limits, to: limits });
  return event("run_resumed", {
    reason: over ? "its limit was raised" : "a new process takes over",
    hypo: setup.versions.hypo,
    changes,
    ...(limits ? { limits } : {}),
    ...(budget ? { budget } : {}),
    ...(over ? { reopens: true } : {}),
  });
}

function journalOptions(setup: RunSetup) {
  return { clock: setup.clock, say: setup.say, crashAt: setup.crashAt };
}

/** The folder's meta.json, checked. */
export async function readRunMeta(folder: RunFolder): Promise<RunMeta> {
  const text = await readFile(folder.meta, "utf8");
  return RunMeta.parse(JSON.parse(text));
}

function makeLive(
  id: RunId,
  folder: RunFolder,
  journal: Journal,
  log: RunLog,
  setup: RunSetup,
  begin: (run: RunContext) => Promise<void>,
): LiveRun {
  const status = new RunStatus(folder, () => setup.clock.now());
  const said = new Set<string>();
  const tree = new AgentTree(() => run);
  const run: RunContext = {
    id,
    branch: MAIN_BRANCH,
    log,
    tree,
    governor: makeGovernor(log, setup),
    ports: setup.ports,
    models: setup.models,
    config: setup.config,
    clock: setup.clock,
    folder,
    crashAt: (point: EngineCrashPoint) => setup.crashAt(point),
    say: (line) => {
      if (!said.has(line)) setup.say(line);
      said.add(line);
    },
    gateOpen: (gate) => {
      if (setup.onGate === "exit") live.leaveAtGate(gate);
      if (setup.onGate === "fail") live.stop({ reason: "user_decision_required", detail: gate.prompt });
    },
    fail: (error) => live.fail(error),
  };
  const live: LiveRun = new LiveRun(
    run,
    journal,
    status,
    status.begin().then(() => begin(run)),
  );
  return live;
}

function makeGovernor(log: RunLog, setup: RunSetup): Governor {
  const process = setup.randomHex(8);
  let calls = 0;
  return new Governor({
    log,
    clock: setup.clock,
    thinks: setup.models.thinking !== "off",
    idleSeconds: setup.config.stream_idle_seconds,
    random: setup.random,
    reservationId: () => `${process}-${(calls += 1)}`,
    onDelta: setup.onDelta,
    say: setup.say,
  });
}

function spawnRoot(id: RunId, setup: RunSetup): RunEvent {
  const spec = rootSpec(id, setup);
  return event("agent_spawned", { agent: ROOT_AGENT, parent: null, call: null, mode: "foreground", spec, spec_sha256: hashOf(spec) });
}

function rootSpec(run: RunId, { models, config }: RunSetup): AgentSpec {
  return {
    id: ROOT_AGENT,
    name: "supervisor",
    parent: null,
    run,
    depth: 0,
    model: models.supervisor.ref,
    thinking: models.thinking,
    tools: ROOT_TOOL_NAMES,
    may_spawn: true,
    max_children: config.limits.children,
    budget_usd: null,
    replication_of: null,
    independent_context: false,
    role: "Supervisor of the research run",
    goal: "Answer the question of the run with what can be verified.",
    context: "",
    responsibilities: "Split the question, have it researched, tested and reviewed, decide when it is answered, and hand in the report.",
    completion_criteria: "The question is answered as well as it can be, or a coded limit is reached.",
    expected_output: "A report whose claims rest on findings, experiments and sources.",
  };
}
