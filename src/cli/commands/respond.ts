import { HypoError } from "../../domain/errors.ts";
import { canonicalJson } from "../../domain/hash.ts";
import { jsonForShell } from "../../domain/shell-word.ts";
import { answerGate } from "../../engine/gates.ts";
import { isOver, openGate, type GateRecord, type RunState } from "../../engine/state/run-state.ts";
import { writeJson, writeOut, type Io } from "../io.ts";
import { plainLine } from "../output/plain-text.ts";
import { findProject } from "../project/project.ts";
import { findRun } from "../runs/find-run.ts";
import { folderOf } from "../runs/hold-run.ts";
import { branchStates } from "../runs/read-run.ts";
import type { Stores } from "../stores.ts";
import type { RespondOptions } from "./options.ts";

/** Answers the open gate of a run. A run that waits goes on by itself; one that was left goes on with `hypo resume`. */
export async function respondCommand(options: RespondOptions, io: Io, stores: Stores): Promise<number> {
  const place = await findRun(await findProject(io.cwd), options.run);
  const journal = await stores.readRun(place.folder, place.id);
  const named = options.branch;
  const branches = named === undefined ? await branchStates(journal) : [{ name: named, state: await journal.state(named) }];
  const output = asOption(readOutput(options.output), branches, options.gate);
  const answer = { event: options.event, ...(output === undefined ? {} : { output }) };
  const { branch, gate } = findGate(branches, options.gate, answer);
  const outcome = gate.answer ? "repeated" : await answerGate(folderOf(place), branch, gate, answer);
  const resume = `hypo resume ${place.id}${branches.length > 1 || named !== undefined ? ` --branch ${branch}` : ""}`;
  if (options.json) writeJson(io, { run: place.id, branch, gate: gate.seq, outcome });
  else
    writeOut(
      io,
      `${outcome === "repeated" ? "The gate has this answer already" : "Answered"}. Unless the run is at work, go on with: ${resume}`,
    );
  return 0;
}

type Named = { name: string; state: RunState };
type Answer = { event: string; output?: unknown };

/** The one branch on which the gate is open and not behind another, or on which it has just this answer. */
function findGate(branches: readonly Named[], seq: number, answer: Answer): { branch: string; gate: GateRecord } {
  const having = branches.flatMap(({ name, state }) => {
    const gate = [...state.gates.values()].find((each) => each.seq === seq);
    return gate ? [{ branch: name, gate, state }] : [];
  });
  const hint = hintOf(branches);
  const [first] = having;
  if (!first) throw new HypoError("not_found", `The run has no gate ${seq}.`, { hint });
  const [found, ...others] = having.filter(({ gate, state }) => !gate.answer && !isOver(state));
  if (!found) return having.find(({ gate }) => isSame(gate, answer)) ?? refuseClosed(first.gate, hint);
  if (others.length > 0) {
    throw new HypoError("usage", `Gate ${seq} is open on several branches: ${[found, ...others].map((each) => each.branch).join(", ")}.`, {
      hint: "Say which with --branch.",
    });
  }
  const open = openGate(found.state);
  if (found.gate !== open) throw new HypoError("refused", `Gate ${seq} waits behind gate ${open?.seq ?? 0}.`, { hint });
  return found;
}

/**
 * The gate's option that reads like the output: it may have been copied from where it was shown, which is without what
 * cannot be seen and with marks around right-to-left text. Everything else stays as it is.
 */
function asOption(output: unknown, branches: readonly Named[], seq: number): unknown {
  if (typeof output !== "string") return output;
  const gate = branches.flatMap(({ state }) => [...state.gates.values()]).find((each) => each.seq === seq);
  const values = (gate?.options ?? []).map(({ value }) => value);
  if (values.includes(output)) return output;
  const alike = values.filter((value) => plainLine(value) === plainLine(output));
  return alike.length === 1 ? alike[0] : output;
}

function isSame({ answer: given }: GateRecord, { event, output }: Answer): boolean {
  return given !== undefined && canonicalJson([given.event, given.output ?? null]) === canonicalJson([event, output ?? null]);
}

function refuseClosed({ seq, answer }: GateRecord, hint: string): never {
  const why = answer
    ? `was answered with ${JSON.stringify(answer)}, and the run has gone on from that`
    : "is closed, since the run is over";
  throw new HypoError("refused", `Gate ${seq} ${why}.`, { hint });
}

function hintOf(branches: readonly Named[]): string {
  const open = branches.flatMap(({ name, state }) => {
    const gate = isOver(state) ? undefined : openGate(state);
    return gate ? [`gate ${gate.seq}${branches.length > 1 ? ` on ${name}` : ""}: ${gate.prompt}`] : [];
  });
  return open.length > 0 ? `Open is ${open.join("; ")}` : "No gate of this run is open; `hypo show` tells where it stands.";
}

function readOutput(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HypoError("usage", `--output takes JSON, and this is none: ${text}`, {
      hint: `A text needs quotes: --output ${jsonForShell(text.replaceAll('"', ""))}`,
      cause: error,
    });
  }
}
