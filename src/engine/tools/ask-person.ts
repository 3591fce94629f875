import type { RunEvent } from "../../domain/events.ts";
import { itemIdFor } from "../../domain/ids.ts";
import type { ToolOutput } from "../../domain/ports.ts";
import { answerProblem, readResolution, schemaProblem, writeRequest, type Resolution } from "../gates.ts";
import { event } from "../run-log.ts";
import type { GateRecord } from "../state/run-state.ts";
import { refusal, say, type ToolCallContext } from "./tool.ts";

const POLL_MS = 250;
const MOST_BYTES = 128 * 1024;

export interface Question {
  prompt: string;
  options: { label: string; value: string }[];
  /** JSON Schema of the answer. */
  schema: Record<string, unknown> | undefined;
}

/**
 * Opens a gate and waits for the person's answer, which comes as a file in the run's folder. A branch that may not
 * wait is suspended or stopped by its owner as soon as the gate is open; a resumed one comes here again.
 */
export async function askPerson(question: Question, context: ToolCallContext): Promise<ToolOutput> {
  const gate = findGate(context) ?? (await openGateFor(question, context));
  if (typeof gate === "string") return refusal(gate);
  await writeRequest(context.run.folder, context.run.branch, gate);
  context.run.crashAt("gate.opened");
  while (!gate.answer) {
    const resolution = await findAnswer(gate, context);
    if (resolution) {
      await context.run.log.record(answered(gate, resolution));
      context.run.crashAt("gate.answered");
    } else {
      context.run.gateOpen(gate);
      await context.run.clock.sleep(POLL_MS, context.signal);
      if (context.signal.aborted) return refusal("The question was withdrawn.");
    }
  }
  const { event: happened, output } = gate.answer;
  return say(`The person answered: ${happened}${output === undefined ? "" : ` ${JSON.stringify(output)}`}`);
}

/** The gate that this very call opened before a crash. */
function findGate({ run, agent, call }: ToolCallContext): GateRecord | undefined {
  return [...run.log.state.gates.values()].find((each) => each.call === call && each.agent === agent);
}

async function openGateFor({ prompt, options, schema }: Question, context: ToolCallContext): Promise<GateRecord | string> {
  const { run, agent, call } = context;
  const problem = schema && schemaProblem(schema);
  if (problem !== undefined) return `output_schema cannot be used: ${problem}. Leave it out, or make it simpler.`;
  const gate = itemIdFor("g", run.id, agent, call, run.course);
  const asked = { gate, agent, call, prompt, options, allowed_events: ["ANSWER"], ...(schema ? { output_schema: schema } : {}) };
  const bytes = Buffer.byteLength(JSON.stringify(asked));
  if (bytes > MOST_BYTES) return "The question is too long (128 KB at most). Ask it in fewer words.";
  await run.log.record(event("gate_opened", asked));
  return run.log.state.gates.get(gate) ?? "The question could not be recorded.";
}

/** The answer that lies in the run's folder. One that does not fit, as a hand may write it, is pointed out and left. */
async function findAnswer(gate: GateRecord, { run }: ToolCallContext): Promise<Resolution | undefined> {
  const resolution = await readResolution(run.folder, run.branch, gate.seq);
  const problem = resolution && answerProblem(gate, resolution);
  if (problem) run.say(`${problem.message} Remove gates/${run.branch}/${gate.seq}/resolution.json and answer again.`);
  return problem ? undefined : resolution;
}

function answered({ gate }: GateRecord, { event: happened, output }: Resolution): RunEvent {
  return event("gate_answered", { gate, event: happened, ...(output === undefined ? {} : { output }) });
}
