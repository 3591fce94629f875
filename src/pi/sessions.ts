import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { AgentSessionServices, ToolDefinition } from "@earendil-works/pi-coding-agent";
import { systemCodeOf } from "../domain/errors.ts";
import type { AgentSession, AgentSessions, SessionTool, TurnEnd } from "../domain/ports.ts";
import { makeFolder } from "../files/atomic.ts";
import { answerOf, interceptModel, type LatestAnswer } from "./answer-stream.ts";
import type { PiSdk } from "./load-sdk.ts";

/** Makes Pi's cwd-bound services for a system prompt; sessions with the same prompt share them. */
export type ServicesFor = (systemPrompt: string) => Promise<AgentSessionServices>;

/** Agent sessions on Pi: persistent, headless, with our tools alone, and with every model call in the engine's hand. */
export function createPiSessions(pi: PiSdk, cwd: string, servicesFor: ServicesFor): AgentSessions {
  const files = new Map<string, string>();
  return {
    readAnswer: (message) => answerOf(message as AssistantMessage),
    async open(options) {
      await removeSessionFile(options.folder, options.id);
      const services = await servicesFor(options.systemPrompt);
      const parentSession = options.parent === undefined ? undefined : files.get(options.parent);
      const manager = pi.SessionManager.create(cwd, options.folder, { id: options.id, ...(parentSession ? { parentSession } : {}) });
      const model = services.modelRuntime.getModel(options.model.provider, options.model.id);
      const { session } = await pi.createAgentSessionFromServices({
        services,
        sessionManager: manager,
        ...(model ? { model } : {}),
        thinkingLevel: options.thinking,
        tools: options.tools.map((tool) => tool.name),
        customTools: options.tools.map(toPiTool),
      });
      manager.appendCustomEntry("hypo", { run: options.run, agent: options.id });
      const file = manager.getSessionFile();
      if (file !== undefined) files.set(options.id, file);
      const latest: LatestAnswer = { text: "", error: undefined };
      interceptModel(session, options.model, options.answer, latest);
      return wrapSession(session, latest);
    },
  };
}

type PiSession = Awaited<ReturnType<PiSdk["createAgentSessionFromServices"]>>["session"];

function wrapSession(session: PiSession, latest: LatestAnswer): AgentSession {
  let aborted = false;
  return {
    async prompt(text): Promise<TurnEnd> {
      Object.assign(latest, { text: "", error: undefined });
      try {
        await session.prompt(text, { expandPromptTemplates: false });
      } catch (error) {
        latest.error ??= error instanceof Error ? error.message : String(error);
      }
      return { text: latest.text, aborted, error: latest.error };
    },
    steer(text) {
      void session.steer(text);
    },
    async abort() {
      aborted = true;
      await session.abort();
    },
    async dispose() {
      await session.abort();
      session.dispose();
    },
  };
}

function toPiTool(tool: SessionTool): ToolDefinition {
  return {
    name: tool.name,
    label: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    async execute(id, args, signal) {
      const output = await tool.execute({ id, args, signal: signal ?? new AbortController().signal });
      return {
        content: [{ type: "text", text: output.text }],
        details: {},
        ...(output.isError ? { isError: true } : {}),
        ...(output.endsTurn ? { terminate: true } : {}),
      };
    },
  };
}

async function removeSessionFile(folder: string, id: string): Promise<void> {
  await makeFolder(folder);
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw error;
  });
  await Promise.all(names.filter((name) => name.endsWith(`_${id}.jsonl`)).map((name) => rm(join(folder, name), { force: true })));
}
