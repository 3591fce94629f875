import { z } from "zod";
import { HypoError } from "../../domain/errors.ts";
import { windowOf, wrapUntrusted } from "./envelope.ts";
import { hiddenFrom } from "./search-memory.ts";
import { defineTool, refusal, say, type ToolCallContext } from "./tool.ts";

const SHOWN_CHARACTERS = 16_000;

export const readArtifact = defineTool({
  name: "read_artifact",
  description:
    "Shows something by its id: the text of a source, a note from memory, or an experiment with its plan, executions, metrics and logs.",
  input: z.strictObject({ id: z.string().min(3), offset: z.int().min(0).default(0) }),
  class: "rerunnable",
  async run({ id, offset }, context) {
    const text = (await experimentText(id, context)) ?? (await noteText(id, context)) ?? (await sourceText(id, context));
    if (text === undefined)
      return refusal(`Nothing has the id ${id}. Ids are those that the tools gave: f-, h-, q-, x- or the digits of a source.`);
    const { part, note } = windowOf(text, offset, SHOWN_CHARACTERS);
    return say(`${note}\n${wrapUntrusted(part, { artifact: id }, context.run.id)}`.trim());
  },
});

async function experimentText(id: string, { run }: ToolCallContext): Promise<string | undefined> {
  const experiment = run.log.state.experiments.get(id);
  if (!experiment) return undefined;
  const results = await Promise.all(experiment.executions.map((each) => run.ports.sandbox.result(id, each.execution)));
  const { plan, author, reviews } = experiment;
  return JSON.stringify(
    { experiment: id, author, plan_sha256: experiment.planSha256, plan, executions: results.filter(Boolean), reviews },
    null,
    2,
  );
}

async function noteText(id: string, { run, agent }: ToolCallContext): Promise<string | undefined> {
  if (!/^[a-z]-/.test(id)) return undefined;
  const agents = hiddenFrom(agent, run.log.state)?.agents ?? [];
  const hidden = [...run.log.state.findings.values()]
    .filter(({ finding }) => agents.includes(finding.agent))
    .map(({ finding }) => finding.id);
  if (hidden.includes(id)) {
    throw new HypoError("refused", `${id} was published by the agents whose work you replicate, so it is hidden from you.`);
  }
  const text = (await run.ports.memory.read(id))?.text;
  // Relations of other notes to hidden ones would give them away.
  return text
    ?.split("\n")
    .filter((line) => !hidden.some((each) => line.includes(each)))
    .join("\n");
}

async function sourceText(id: string, { run }: ToolCallContext): Promise<string | undefined> {
  if (!/^[0-9a-f]{8,64}$/.test(id)) return undefined;
  const source = await run.ports.sources.find(id);
  return source ? await run.ports.sources.text(source.id) : undefined;
}
