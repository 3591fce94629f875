import { itemIdFor } from "../../domain/ids.ts";
import type { ToolOutput } from "../../domain/ports.ts";
import { event } from "../run-log.ts";
import { readResolution, writeRequest } from "../gates.ts";
import { refusal, say, type ToolCallContext } from "./tool.ts";

const POLL_MS = 250;
const MOST_BYTES = 128 * 1024;

/**
 * Opens a gate and waits for the person's answer, which comes as a file in the run's folder. A run that may not wait
 * is suspended or stopped by its owner as soon as the gate is open; a resumed run comes here again.
 */
export async function askPerson(
  prompt: string,
  options: { label: string; value: string }[],
  context: ToolCallContext,
): Promise<ToolOutput> {
  const { run, agent, call, signal } = context;
  const gate = itemIdFor("g", run.id, agent, call);
  if (!run.log.state.gates.has(gate)) {
    const opened = event("gate_opened", { gate, agent, call, prompt, options, allowed_events: ["ANSWER"] });
    if (Buffer.byteLength(JSON.stringify(opened.data)) > MOST_BYTES)
      return refusal("The question is too long (128 KB at most). Ask it in fewer words.");
    await run.log.record(opened);
  }
  const record = run.log.state.gates.get(gate);
  if (!record) return refusal("The question could not be recorded.");
  await writeRequest(run.folder, run.branch, record);
  while (!record.answer) {
    const resolution = await readResolution(run.folder, run.branch, record.seq);
    if (resolution)
      await run.log.record(
        event("gate_answered", {
          gate,
          event: resolution.event,
          ...(resolution.output === undefined ? {} : { output: resolution.output }),
        }),
      );
    else {
      run.gateOpen(record);
      await run.clock.sleep(POLL_MS, signal);
      if (signal.aborted) return refusal("The question was withdrawn.");
    }
  }
  const { event: answered, output } = record.answer;
  return say(`The person answered: ${answered}${output === undefined ? "" : ` ${JSON.stringify(output)}`}`);
}
