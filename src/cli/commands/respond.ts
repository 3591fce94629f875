import { HypoError } from "../../domain/errors.ts";
import { answerGate } from "../../engine/gates.ts";
import { runFolder } from "../../engine/run-folder.ts";
import { project as projectFacts } from "../../engine/state/evolve.ts";
import { MAIN_BRANCH } from "../../domain/ids.ts";
import type { Fact } from "../../domain/events.ts";
import { openGate, type GateRecord, type RunState } from "../../engine/state/run-state.ts";
import { writeJson, writeOut, type Io } from "../io.ts";
import { findProject, type Project } from "../project/project.ts";
import { findRun } from "../runs/find-run.ts";
import type { Stores } from "../stores.ts";
import type { RespondOptions } from "./options.ts";

/** Answers the open gate of a run. A run that waits goes on by itself; one that was left goes on with `hypo resume`. */
export async function respondCommand(options: RespondOptions, io: Io, stores: Stores): Promise<number> {
  const project = await findProject(io.cwd);
  const { id, folder } = await findRun(project, options.run);
  const state = await readState(folder, stores);
  const gate = findGate(state, options.gate);
  const output = readOutput(options.output);
  const place = runFolder((project as Project).state, id);
  const outcome = await answerGate(place, MAIN_BRANCH, gate, { event: options.event, ...(output === undefined ? {} : { output }) });
  if (options.json) writeJson(io, { run: id, gate: gate.seq, outcome });
  else
    writeOut(
      io,
      `${outcome === "repeated" ? "The gate has this answer already" : "Answered"}. Unless the run is at work, go on with: hypo resume ${id}`,
    );
  return 0;
}

async function readState(folder: string, stores: Stores): Promise<RunState> {
  const facts: Fact[] = [];
  for await (const fact of (await stores.readJournal(folder, () => undefined)).ancestry(MAIN_BRANCH)) facts.push(fact);
  return projectFacts(facts);
}

function findGate(state: RunState, seq: number): GateRecord {
  const open = openGate(state);
  const gate = [...state.gates.values()].find((each) => each.seq === seq);
  const hint = open ? `Open is gate ${open.seq}: ${open.prompt}` : "No gate of this run is open; `hypo show` tells where it stands.";
  if (!gate) throw new HypoError("not_found", `The run has no gate ${seq}.`, { hint });
  if (gate.answer) throw new HypoError("refused", `Gate ${seq} is closed; the run has gone on from its answer.`, { hint });
  if (gate !== open) throw new HypoError("refused", `Gate ${seq} waits behind another.`, { hint });
  return gate;
}

function readOutput(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HypoError("usage", `--output takes JSON, and this is none: ${text}`, {
      hint: `A text needs quotes: --output '"${text.replaceAll('"', "")}"'`,
      cause: error,
    });
  }
}
