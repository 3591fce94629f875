import { HypoError } from "../domain/errors.ts";
import type { ResolvedModel } from "../domain/model.ts";
import { loadPiSdk } from "./load-sdk.ts";
import type { ModelChoice } from "./model-context.ts";
import { openRuntime, readUserSettings, supervisorRef } from "./read-agent-dir.ts";
import { findModel, requireCredentials } from "./resolve-model.ts";

/** What can be said of one of the models without asking it anything. */
interface ExaminedModel {
  role: "supervisor" | "subagent";
  /** Or why there is none. */
  model: ResolvedModel | HypoError;
  /** Why it cannot be used although it is known: `credentials_missing`. Undefined where Pi has credentials, or there is no model. */
  credentialsProblem: HypoError | undefined;
}

export interface ExaminedModels {
  agentDir: string;
  piVersion: string;
  models: ExaminedModel[];
}

/** Loads Pi, which keeps the process busy for seconds: before anything is asked of which the answer is awaited in time. */
export async function preparePi({ agentDir, env }: Pick<ModelChoice, "agentDir" | "env">): Promise<void> {
  await loadPiSdk(agentDir, env);
}

/**
 * Looks the models and their credentials up, each by itself, so that one problem does not hide another. No model is
 * asked, and no key is read out.
 *
 * @throws HypoError `agent_dir_invalid`
 */
export async function examineModels(choice: Omit<ModelChoice, "rehearsal" | "thinking">): Promise<ExaminedModels> {
  const pi = await loadPiSdk(choice.agentDir, choice.env);
  const agentDir = pi.getAgentDir();
  const user = readUserSettings(pi, choice.cwd, agentDir);
  const runtime = await openRuntime(pi, agentDir, false);
  const examine = async (role: ExaminedModel["role"], setting: string, readRef: () => string): Promise<ExaminedModel> => {
    const model = orError(() => findModel(runtime, readRef(), agentDir, setting));
    return {
      role,
      model,
      credentialsProblem: model instanceof HypoError ? undefined : await problemOf(requireCredentials(runtime, model, setting)),
    };
  };
  const chosen = (): string => supervisorRef({ model: choice.model, rehearsal: false }, user);
  const supervisor = await examine("supervisor", choice.model ? "the model chosen" : "Pi's default model", chosen);
  const subagent =
    choice.subagentModel === "inherit"
      ? { ...supervisor, role: "subagent" as const }
      : await examine("subagent", "subagent_model", () => choice.subagentModel);
  return { agentDir, piVersion: pi.VERSION, models: [supervisor, subagent] };
}

function orError<T>(look: () => T): T | HypoError {
  try {
    return look();
  } catch (error) {
    if (error instanceof HypoError) return error;
    throw error;
  }
}

async function problemOf(work: Promise<void>): Promise<HypoError | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof HypoError) return error;
      throw error;
    },
  );
}
