import { HypoError } from "../domain/errors.ts";
import { MAIN_BRANCH, makeRunId, ROOT_AGENT, type RunId } from "../domain/ids.ts";
import type { Protocol } from "../domain/protocol.ts";
import type { SourceRecord } from "../domain/source.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { renderSpec } from "./agent/spec.ts";
import { describeChange } from "./decide/changes.ts";
import { Journal } from "./journal/journal.ts";
import type { LiveRun } from "./live-run.ts";
import { makeLiveRun, type BranchStart } from "./make-live-run.ts";
import { RunProjection } from "./projection/run-projection.ts";
import { recallAgents } from "./recall.ts";
import { spawnRoot } from "./root-agent.ts";
import { runFolder, type RunFolder } from "./run-folder.ts";
import { event, RunLog } from "./run-log.ts";
import type { RunMeta } from "./run-meta.ts";
import { basisOf, type RunSetup } from "./run-setup.ts";
import { sourceStored } from "./source-stored.ts";
import { emptyLedger } from "./state/ledger.ts";
import { emptyRunState } from "./state/run-state.ts";
import { takeOver, type TakeOver } from "./take-over.ts";

/** What a run is given besides its question. */
export interface RunGifts {
  /** Where it has been chosen already. */
  id?: RunId | undefined;
  protocol?: Protocol | undefined;
  /** Stored sources that the person wants it to know of. */
  material?: readonly SourceRecord[];
}

/** Starts a run. The promise resolves when its first facts are durable; `done` when its work is over. */
export async function startRun(question: string, setup: RunSetup, given: RunGifts = {}): Promise<LiveRun> {
  const { clock, config, models } = setup;
  const { prompts, config: settings, ...versions } = basisOf(setup);
  const id = given.id ?? makeRunId(clock.now(), question, setup.randomHex(4));
  const folder = runFolder(setup.stateFolder, id);
  const refs = { supervisor: models.supervisor.ref, subagent: models.subagent.ref, thinking: models.thinking };
  const identity = {
    run: id,
    question,
    models: refs,
    prompts_sha256: prompts,
    ...versions,
    rehearsal: setup.rehearsal,
    ...(given.protocol ? { protocol: given.protocol } : {}),
  };
  const meta: RunMeta = { v: 1, ...identity, created: clock.now().toISOString(), origin: "run" };
  await writeFileAtomic(folder.meta, `${JSON.stringify(meta, null, 2)}\n`);
  const journal = await Journal.create(folder.path, setup);
  const log = new RunLog(journal, MAIN_BRANCH, emptyRunState(), emptyLedger());
  log.subscribe(setup.onFact);
  const { limits, budget } = config;
  await log.record(
    event("run_started", { ...identity, limits, budget, ...(settings ? { config: settings } : {}) }),
    ...(given.material ?? []).flatMap((source) => sourceStored(null, source)),
    spawnRoot(id, setup),
  );
  setup.crashAt("run.created");
  const begin = (): Promise<void> => writeRootSpec(folder, log);
  return makeLiveRun({ id, folder, journal, setup, starts: [{ log, begin }] });
}

export interface Resumption extends TakeOver {
  /** Branches to set to work; empty where the run has only one. */
  branches: readonly string[];
}

/**
 * Goes on with branches of a run where their facts end. What is recorded is played again, not asked or done again.
 *
 * @throws HypoError `run_locked`, `run_damaged`, `not_found` for an unknown branch, `usage` where a branch has to be
 *   named, `refused` for one that is over or never began, or whose basis has
 *   changed.
 */
export async function resumeRun(id: RunId, setup: RunSetup, resumption: Resumption): Promise<LiveRun> {
  const folder = runFolder(setup.stateFolder, id);
  const projection = new RunProjection();
  const journal = await Journal.open(folder.path, { ...pick(setup), onRecord: (record) => projection.apply(record) });
  try {
    const starts: (BranchStart & { takingOver: ReturnType<typeof takeOver> })[] = [];
    for (const branch of chooseBranches(journal, resumption.branches)) {
      const state = await projection.stateOf(branch, journal);
      if (!state.agents.has(ROOT_AGENT)) throw neverBegan(id);
      const recalls = await recallAgents(journal.ancestry(branch));
      const log = new RunLog(journal, branch, state, projection.ledger);
      const takingOver = takeOver(state, basisOf(setup), resumption);
      const begin: BranchStart["begin"] = async ({ tree }) => {
        await writeRootSpec(folder, log);
        tree.resume(recalls);
      };
      starts.push({ log, begin, takingOver });
    }
    for (const { log, takingOver } of starts) {
      for (const change of takingOver.changes) setup.say(`Changed since: ${describeChange(change)}`);
      log.subscribe(setup.onFact);
      await log.record(takingOver.resumed);
    }
    return makeLiveRun({ id, folder, journal, setup, starts });
  } catch (error) {
    await journal.close();
    throw error;
  }
}

function neverBegan(id: RunId): HypoError {
  return new HypoError("refused", `Run ${id} never began: hypo was interrupted before anything of it was recorded.`, {
    hint: "Ask its question again with `hypo run`.",
  });
}

function chooseBranches(journal: Journal, named: readonly string[]): readonly string[] {
  const all = [...journal.heads.keys()];
  if (named.length > 0) {
    for (const branch of named) journal.head(branch);
    return [...new Set(named)];
  }
  if (all.length <= 1) return all;
  throw new HypoError("usage", `The run has ${all.length} branches: ${all.join(", ")}.`, {
    hint: "Say which are to go on, for example `--branch main`; --branch may be given several times.",
  });
}

/** Written again when a run is resumed: a crash may have come before it. */
async function writeRootSpec(folder: RunFolder, { state }: RunLog): Promise<void> {
  const root = state.agents.get(ROOT_AGENT);
  if (root) await writeFileAtomic(folder.agentSpec(ROOT_AGENT, MAIN_BRANCH), renderSpec(root.spec));
}

function pick({ clock, say, crashAt }: RunSetup) {
  return { clock, say, crashAt };
}
