import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { SCRIPTED_MODEL, writeAgentDir } from "../../support/agent-dir.ts";
import { agentScript, call, say } from "../../support/scenario.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model.ts";

let folder: string;
let model: ScriptedModel;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hypo-pi-"));
  model = await startScriptedModel(
    agentScript((turn) => (turn.has("measure") ? say(`It is ${turn.lastResult("measure")}.`) : call("measure", { length: 32 }))),
  );
  await writeAgentDir(join(folder, "agent"), model.url, { cost: { input: 2, output: 8, cacheRead: 0, cacheWrite: 0 }, maxTokens: 4096 });
  // Pi reads it while it is imported.
  vi.stubEnv("PI_CODING_AGENT_DIR", join(folder, "agent"));
  vi.stubEnv("PI_OFFLINE", "1");
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await model.close();
  await rm(folder, { recursive: true, force: true });
});

it("answers Pi's own provider, which takes it as the default model, runs the scripted call and counts the price", async () => {
  const pi = await import("@earendil-works/pi-coding-agent");
  const agentDir = pi.getAgentDir();
  const settingsManager = pi.SettingsManager.create(folder, agentDir, { projectTrusted: false });
  const services = await pi.createAgentSessionServices({
    cwd: folder,
    agentDir,
    settingsManager,
    resourceLoaderOptions: { noExtensions: true, noSkills: true, noPromptTemplates: true, noThemes: true, systemPrompt: "You measure." },
  });
  const asked: unknown[] = [];
  const measure = pi.defineTool({
    name: "measure",
    label: "Measure",
    description: "Measures.",
    parameters: { type: "object", properties: { length: { type: "number" } }, required: ["length"] },
    execute: async (_id, args) => {
      asked.push(args);
      return { content: [{ type: "text", text: "121.3" }], details: undefined };
    },
  });
  const { session } = await pi.createAgentSessionFromServices({
    services,
    tools: ["measure"],
    customTools: [measure],
    sessionManager: pi.SessionManager.create(folder, join(folder, "sessions"), { id: "20260102-030405-x-00ff.root" }),
  });
  await session.prompt("Agent: Lead (root)\nGoal: measure");

  expect(`${settingsManager.getDefaultProvider()}/${settingsManager.getDefaultModel()}`).toBe(SCRIPTED_MODEL);
  expect(`${session.model?.provider}/${session.model?.id}`).toBe(SCRIPTED_MODEL);
  expect(session.model?.maxTokens).toBe(4096);
  expect(asked).toEqual([{ length: 32 }]);
  expect(session.getLastAssistantText()).toBe("It is 121.3.");
  expect(model.requests).toMatchObject([
    { agent: "root", assistantMessages: 0, outcome: "answered", request: { session: "20260102-030405-x-00ff.root" } },
    { agent: "root", assistantMessages: 1, outcome: "answered", request: { lastToolResults: [{ id: "call_root_0_0", text: "121.3" }] } },
  ]);
  expect(model.requests[0]?.request.tools.map(({ name }) => name)).toEqual(["measure"]);
  expect(model.repeatedQuestions()).toEqual([]);
  const { tokens, cost } = session.getSessionStats();
  expect(cost).toBeCloseTo((tokens.input * 2 + tokens.output * 8) / 1e6, 9);
  expect(tokens.output).toBeGreaterThan(0);
  session.dispose();
});
