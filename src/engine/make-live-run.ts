import type { Fact } from "../domain/events.ts";
import { courseName, type RunId } from "../domain/ids.ts";
import { OneAtATime } from "../domain/one-at-a-time.ts";
import { AgentTree } from "./agent/agent-tree.ts";
import { ControlDesk, type MessageFate } from "./control/control-desk.ts";
import { serveRequest } from "./control/serve-request.ts";
import { Governor } from "./governor.ts";
import type { Journal } from "./journal/journal.ts";
import { LiveBranch } from "./live-branch.ts";
import { LiveRun } from "./live-run.ts";
import type { RunContext } from "./run-context.ts";
import type { RunFolder } from "./run-folder.ts";
import type { RunLog } from "./run-log.ts";
import type { RunSetup } from "./run-setup.ts";
import { RunStatus } from "./run-status.ts";
import type { Ledger } from "./state/ledger.ts";

/** A branch that is to be set to work. */
export interface BranchStart {
  log: RunLog;
  /** What has to be done before the supervisor goes on. */
  begin: (run: RunContext) => Promise<void>;
}

export interface LiveRunPlan {
  id: RunId;
  folder: RunFolder;
  journal: Journal;
  setup: RunSetup;
  /** At least one; all logs share one ledger. */
  starts: readonly BranchStart[];
}

/** Puts a run together from its parts and sets it to work. */
export function makeLiveRun(plan: LiveRunPlan): LiveRun {
  const { id, folder, journal, setup, starts } = plan;
  const governor = makeGovernor(plan);
  const say = sayOnce(setup.say);
  const status = new RunStatus(folder, () => setup.clock.now());
  const begun = status.begin(starts.map(({ log }) => log.branch));
  const shared = { governor, tests: new OneAtATime(), say };
  const branches = starts.map((start) => makeBranch(plan, start, shared, begun));
  const [first] = starts;
  if (!first) throw new TypeError("a run is set to work with one branch at least");
  const { ledger } = first.log;
  const desk = new ControlDesk({
    folder: folder.control,
    clock: setup.clock,
    serve: (request) => serveRequest(request, branches, journal),
    fateOf: (request) => fateOf(request, ledger),
    crashAt: setup.crashAt,
    say,
  });
  for (const { log } of starts) log.subscribe((fact) => withdrawUnread(fact, desk));
  return new LiveRun({ id, folder, branches, journal, ledger, status, desk, begun });
}

function makeBranch(
  { id, folder, journal, setup }: LiveRunPlan,
  { log, begin }: BranchStart,
  { governor, tests, say }: Pick<RunContext, "governor" | "tests" | "say">,
  begun: Promise<void>,
): LiveBranch {
  const tree = new AgentTree(() => run);
  const run: RunContext = {
    id,
    branch: log.branch,
    course: courseName(log.branch, journal.moves(log.branch)),
    log,
    tree,
    experiments: new OneAtATime(),
    tests,
    governor,
    ports: setup.ports,
    models: setup.models,
    config: setup.config,
    clock: setup.clock,
    folder,
    crashAt: setup.crashAt,
    say,
    onProgress: setup.onProgress,
    gateOpen: (gate) => {
      if (setup.onGate === "exit") branch.leaveAtGate(gate);
      if (setup.onGate === "fail") branch.stop({ reason: "user_decision_required", detail: gate.prompt });
    },
    fail: (error) => branch.fail(error),
  };
  const branch: LiveBranch = new LiveBranch(
    run,
    begun.then(() => begin(run)),
  );
  return branch;
}

/** Whoever wrote the message is told, also when nobody is at the other terminal any more. */
function withdrawUnread(fact: Fact, desk: ControlDesk): void {
  if (fact.type === "message_undelivered" && fact.data.by === "person" && fact.data.request !== undefined) desk.withdraw(fact.data.request);
}

function fateOf(request: string, { delivered, undelivered }: Ledger): MessageFate | undefined {
  if (undelivered.has(request)) return "undelivered";
  return delivered.has(request) ? "delivered" : undefined;
}

/** One for the process: its slots are those of the branch that may stream most. */
function makeGovernor({ setup, starts }: LiveRunPlan): Governor {
  const process = setup.randomHex(8);
  let calls = 0;
  return new Governor({
    streaming: Math.max(...starts.map(({ log }) => log.state.limits.streaming)),
    clock: setup.clock,
    thinks: setup.models.thinking !== "off",
    idleSeconds: setup.config.stream_idle_seconds,
    random: setup.random,
    reservationId: () => `${process}-${(calls += 1)}`,
    onDelta: setup.onDelta,
    say: setup.say,
  });
}

function sayOnce(say: (line: string) => void): (line: string) => void {
  const said = new Set<string>();
  return (line) => {
    if (!said.has(line)) say(line);
    said.add(line);
  };
}
