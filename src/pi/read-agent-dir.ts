import { join } from "node:path";
import type { ModelRuntime, SettingsManager } from "@earendil-works/pi-coding-agent";
import { HypoError } from "../domain/errors.ts";
import { makeFolder } from "../files/atomic.ts";
import type { PiSdk } from "./load-sdk.ts";
import { registerRehearsal } from "./rehearsal/provider.ts";

/** The person's settings of Pi, without the project's. Throws `agent_dir_invalid`. */
export function readUserSettings(pi: PiSdk, cwd: string, agentDir: string): SettingsManager {
  const user = pi.SettingsManager.create(cwd, agentDir, { projectTrusted: false });
  const [problem] = user.drainErrors();
  if (problem) {
    throw new HypoError("agent_dir_invalid", `Pi's settings cannot be read: ${problem.error.message}`, {
      hint: `Mend ${join(agentDir, "settings.json")}, or name another directory with --agent-dir.`,
    });
  }
  return user;
}

/** Models and credentials of the agent directory, or of the rehearsal alone. Throws `agent_dir_invalid`. */
export async function openRuntime(pi: PiSdk, agentDir: string, rehearsal: boolean): Promise<ModelRuntime> {
  if (rehearsal) {
    const { InMemoryCredentialStore, InMemoryModelsStore } = await import("@earendil-works/pi-ai");
    const runtime = await pi.ModelRuntime.create({
      credentials: new InMemoryCredentialStore(),
      modelsStore: new InMemoryModelsStore(),
      modelsPath: null,
    });
    registerRehearsal(runtime);
    return runtime;
  }
  await ensureAgentDir(agentDir);
  const runtime = await pi.ModelRuntime.create({ authPath: join(agentDir, "auth.json"), modelsPath: join(agentDir, "models.json") });
  const problem = runtime.getError();
  if (problem) {
    throw new HypoError("agent_dir_invalid", `Pi's models cannot be read: ${problem}`, { hint: `Mend ${join(agentDir, "models.json")}.` });
  }
  return runtime;
}

/** Pi makes its directory itself, but goes round without end where that cannot be. */
async function ensureAgentDir(agentDir: string): Promise<void> {
  await makeFolder(agentDir).catch((error: unknown) => {
    throw new HypoError("agent_dir_invalid", `Pi's agent directory ${agentDir} is not there and cannot be made.`, {
      hint: "Name another one with --agent-dir or PI_CODING_AGENT_DIR, or set HOME to a folder that you can write.",
      cause: error,
    });
  });
}

/** The supervisor's model: the one chosen, else Pi's default. Throws `credentials_missing` where there is neither. */
export function supervisorRef(choice: { model: string | undefined; rehearsal: boolean }, user: SettingsManager): string {
  if (choice.rehearsal) return "rehearsal/researcher";
  if (choice.model !== undefined) return choice.model;
  const [provider, model] = [user.getDefaultProvider(), user.getDefaultModel()];
  if (provider && model) return `${provider}/${model}`;
  throw new HypoError("credentials_missing", "Pi has no default model, and --model names none.", {
    hint: "Start `pi`, use `/login` and choose a model, or give `--model provider/id`. To try hypo without any key: `hypo demo`.",
  });
}
