import type { AgentSessionServices, ModelRuntime, SettingsManager } from "@earendil-works/pi-coding-agent";
import { HypoError } from "../domain/errors.ts";
import type { ResolvedModel, ThinkingLevel } from "../domain/model.ts";
import type { AgentSessions } from "../domain/ports.ts";
import { loadPiSdk, type PiSdk } from "./load-sdk.ts";
import { openRuntime, readUserSettings, supervisorRef } from "./read-agent-dir.ts";
import { resolveModel } from "./resolve-model.ts";
import { createPiSessions } from "./sessions.ts";

export interface ModelChoice {
  cwd: string;
  /** Pi's agent directory; `PI_CODING_AGENT_DIR` or `~/.pi/agent` where undefined. */
  agentDir: string | undefined;
  model: string | undefined;
  thinking: ThinkingLevel | undefined;
  /** `provider/id`, or `inherit` for the supervisor's. */
  subagentModel: string;
  /** Uses the rehearsal model alone and needs no credentials. */
  rehearsal: boolean;
  env: NodeJS.ProcessEnv;
}

/** Models and credentials, resolved before anything is spent. */
export interface ModelContext {
  supervisor: ResolvedModel;
  subagent: ResolvedModel;
  thinking: ThinkingLevel;
  sessions: AgentSessions;
  agentDir: string;
  piVersion: string;
}

/**
 * Takes the models and credentials from the person's Pi agent directory by Pi's own calls. Their packages and
 * extensions are neither loaded nor installed, and no key leaves Pi.
 *
 * @throws HypoError `agent_dir_invalid`, `model_unknown`, `credentials_missing`.
 */
export async function openModelContext(choice: ModelChoice): Promise<ModelContext> {
  const pi = await loadPiSdk(choice.agentDir, choice.env);
  const agentDir = pi.getAgentDir();
  const user = readUserSettings(pi, choice.cwd, agentDir);
  const runtime = await openRuntime(pi, agentDir, choice.rehearsal);
  const supervisor = await resolveModel(
    runtime,
    supervisorRef(choice, user),
    agentDir,
    choice.model ? "the model chosen" : "Pi's default model",
  );
  const subagent = await resolveSubagent(runtime, choice, supervisor, agentDir);
  const thinking =
    choice.thinking ?? user.getModelThinkingLevel(supervisor.provider, supervisor.id) ?? user.getDefaultThinkingLevel() ?? "medium";
  const servicesFor = shareServices(pi, choice.cwd, agentDir, runtime, user);
  return { supervisor, subagent, thinking, sessions: createPiSessions(pi, choice.cwd, servicesFor), agentDir, piVersion: pi.VERSION };
}

async function resolveSubagent(
  runtime: ModelRuntime,
  choice: ModelChoice,
  supervisor: ResolvedModel,
  agentDir: string,
): Promise<ResolvedModel> {
  if (choice.rehearsal || choice.subagentModel === "inherit") return supervisor;
  try {
    return await resolveModel(runtime, choice.subagentModel, agentDir, "subagent_model");
  } catch (error) {
    if (!(error instanceof HypoError) || error.code !== "credentials_missing") throw error;
    const hint = `${error.hint ?? ""} Or choose the children's model: \`--subagent-model provider/id\`, or \`--subagent-model inherit\` for the supervisor's.`;
    throw new HypoError(error.code, error.message, { hint, cause: error });
  }
}

/** Every session with the same system prompt shares one set of services, and all share one model runtime. */
function shareServices(pi: PiSdk, cwd: string, agentDir: string, modelRuntime: ModelRuntime, user: SettingsManager) {
  const settingsManager = pi.SettingsManager.inMemory({
    ...user.getGlobalSettings(),
    packages: [],
    extensions: [],
    skills: [],
    prompts: [],
    themes: [],
    cacheWarming: "off",
    // One governor serves the whole tree, so Pi itself retries nothing.
    retry: { enabled: false, provider: { maxRetries: 0 } },
  });
  const made = new Map<string, Promise<AgentSessionServices>>();
  return (systemPrompt: string): Promise<AgentSessionServices> => {
    const services =
      made.get(systemPrompt) ??
      pi.createAgentSessionServices({
        cwd,
        agentDir,
        settingsManager,
        modelRuntime,
        resourceLoaderOptions: {
          noExtensions: true,
          noSkills: true,
          noPromptTemplates: true,
          noThemes: true,
          systemPrompt,
          appendSystemPrompt: [],
        },
      });
    made.set(systemPrompt, services);
    return services;
  };
}
