/**
 * Pi's SDK alone doing what a hypo run's agents do: sessions that are kept, one for each agent, with hypo's prompts and
 * tools as models are shown them. Nothing is recorded but what Pi records. Arguments: project, agent directory, question.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as pi from "@earendil-works/pi-coding-agent";
import type { AgentSpec } from "../../src/domain/agent.ts";
import { importBuilt } from "../harness/contender.ts";

const [project = "", agentDir = "", question = ""] = process.argv.slice(2);
const { promptFor } = await importBuilt<typeof import("../../src/engine/prompts/system-prompts.ts")>("engine/prompts/system-prompts.ts");
const { firstPrompt } = await importBuilt<typeof import("../../src/engine/prompts/agent-prompts.ts")>("engine/prompts/agent-prompts.ts");
const { toolsFor } = await importBuilt<typeof import("../../src/engine/tools/toolbox.ts")>("engine/tools/toolbox.ts");
const { parametersOf } = await importBuilt<typeof import("../../src/engine/tools/tool.ts")>("engine/tools/tool.ts");
const { CHILD_TOOL_NAMES, ROOT_TOOL_NAMES } =
  await importBuilt<typeof import("../../src/engine/tools/tool-names.ts")>("engine/tools/tool-names.ts");
const { emptyRunState } = await importBuilt<typeof import("../../src/engine/state/run-state.ts")>("engine/state/run-state.ts");

const state = { ...emptyRunState(), question };
const modelRuntime = await pi.ModelRuntime.create({ authPath: join(agentDir, "auth.json"), modelsPath: join(agentDir, "models.json") });
const model = modelRuntime.getModel("scripted", "scripted");
if (!model) throw new Error("the scripted model is not in the agent directory");
const settingsManager = pi.SettingsManager.inMemory({ retry: { enabled: false } });
const services = { root: await servicesFor(null), child: await servicesFor("root") };

await work(specOf("root", "supervisor", question));

async function servicesFor(parent: string | null): Promise<pi.AgentSessionServices> {
  const nothing = { noExtensions: true, noSkills: true, noPromptTemplates: true, noThemes: true };
  const resourceLoaderOptions = { ...nothing, systemPrompt: promptFor({ parent }), appendSystemPrompt: [] };
  return pi.createAgentSessionServices({ cwd: project, agentDir, settingsManager, modelRuntime, resourceLoaderOptions });
}

/** One agent's whole life; its last words are its result. */
async function work(spec: AgentSpec): Promise<string> {
  let children = 0;
  const { session } = await pi.createAgentSessionFromServices({
    services: spec.parent === null ? services.root : services.child,
    sessionManager: pi.SessionManager.create(project, join(project, "sessions"), { id: spec.id }),
    ...(model ? { model } : {}),
    thinkingLevel: "off",
    tools: spec.tools,
    customTools: toolsFor(spec).map((tool) => ({
      name: tool.name,
      label: tool.name,
      description: tool.description,
      parameters: parametersOf(tool),
      execute: async (_id: string, args: Record<string, string>) => ({
        content: [{ type: "text" as const, text: await carryOut(tool.name, args) }],
        details: {},
      }),
    })),
  });
  const carryOut = async (tool: string, { path = "", name = "", goal = "" }: Record<string, string>): Promise<string> => {
    if (tool === "read") return readFile(join(project, path), "utf8");
    if (tool === "spawn_agent") return work(specOf(`${spec.id}.${(children += 1)}`, name, goal, spec.id));
    throw new Error(`the script calls no ${tool}`);
  };
  await session.prompt(firstPrompt(spec, state), { expandPromptTemplates: false });
  session.dispose();
  return session.getLastAssistantText() ?? "";
}

function specOf(id: string, name: string, goal: string, parent: string | null = null): AgentSpec {
  return {
    id,
    name,
    parent,
    run: "bare",
    depth: id.split(".").length - 1,
    model: "scripted/scripted",
    thinking: "off",
    tools: parent === null ? ROOT_TOOL_NAMES : CHILD_TOOL_NAMES,
    may_spawn: true,
    max_children: 8,
    budget_usd: null,
    replication_of: null,
    independent_context: false,
    role: "Research agent",
    goal,
    context: "",
    responsibilities: "",
    completion_criteria: "",
    expected_output: "",
  };
}
