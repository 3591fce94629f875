import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelRuntime } from "@earendil-works/pi-coding-agent";
import { HypoError } from "../domain/errors.ts";
import type { ModelPrice, ResolvedModel } from "../domain/model.ts";

/**
 * Looks a model up by its exact `provider/id` and makes sure that there are credentials for it. Nothing is guessed
 * and nothing else is taken in its place.
 *
 * @throws HypoError `model_unknown` or `credentials_missing`.
 */
export async function resolveModel(runtime: ModelRuntime, ref: string, agentDir: string, setting: string): Promise<ResolvedModel> {
  const model = findModel(runtime, ref, agentDir, setting);
  await requireCredentials(runtime, model, setting);
  return model;
}

/** The model of that name, with its price as far as it is known. Throws `model_unknown`. */
export function findModel(runtime: ModelRuntime, ref: string, agentDir: string, setting: string): ResolvedModel {
  const slash = ref.indexOf("/");
  if (slash < 1 || slash === ref.length - 1) {
    throw new HypoError("model_unknown", `${setting} must name a model as provider/id, not ${JSON.stringify(ref)}.`, {
      hint: "For example `deepseek/deepseek-flash`.",
    });
  }
  const [provider, id] = [ref.slice(0, slash), ref.slice(slash + 1)];
  const model = runtime.getModel(provider, id);
  if (!model)
    throw new HypoError("model_unknown", `Pi knows no model ${ref} (${setting}).`, { hint: hintForUnknown(runtime, provider, id) });
  return { ref, provider, id, contextWindow: model.contextWindow, maxTokens: model.maxTokens, price: priceOf(ref, model.cost, agentDir) };
}

/** Throws `credentials_missing` where Pi has none for the model's provider. Whether they are accepted is not asked. */
export async function requireCredentials(runtime: ModelRuntime, { provider, ref }: ResolvedModel, setting: string): Promise<void> {
  if (await runtime.checkAuth(provider)) return;
  throw new HypoError("credentials_missing", `There are no credentials for ${provider}, which ${setting} (${ref}) needs.`, {
    hint: `${await waysToLogIn(provider)} Or try hypo without any key: \`hypo demo\`.`,
  });
}

/** How a person gets credentials for a provider: Pi's login, or the variable that Pi reads for it. */
async function waysToLogIn(provider: string): Promise<string> {
  const { findEnvKeys } = await import("@earendil-works/pi-ai/compat");
  // Pi names the variables that are set; in an environment where every one is, it names them all.
  const allSet = new Proxy<Record<string, string>>({}, { get: () => "set", has: () => true });
  const variable = findEnvKeys(provider, allSet)?.at(-1);
  const key = variable === undefined ? "give its apiKey in Pi's models.json" : `set ${variable}`;
  return `Start \`pi\` and use \`/login\` for ${provider}, or ${key}.`;
}

function hintForUnknown(runtime: ModelRuntime, provider: string, id: string): string {
  const siblings = runtime.getModels(provider).map((model) => model.id);
  if (siblings.length === 0) {
    const providers = runtime.getProviders().map((each) => each.id);
    return `Known providers: ${providers.slice(0, 40).join(", ")}. Others can be added in Pi's models.json.`;
  }
  const close = siblings.toSorted((a, b) => shared(b, id) - shared(a, id)).slice(0, 5);
  return `${provider} has for example: ${close.map((each) => `${provider}/${each}`).join(", ")}.`;
}

function shared(a: string, b: string): number {
  const parts = new Set(b.split(/[^a-z0-9]+/i));
  return a.split(/[^a-z0-9]+/i).filter((part) => parts.has(part)).length;
}

/** A catalogue price of zero means "not known here" (a subscription, say) unless the person's own models.json says so. */
function priceOf(ref: string, cost: ModelPrice, agentDir: string): ModelPrice | undefined {
  const { input, output, cacheRead, cacheWrite } = cost;
  const isZero = input === 0 && output === 0;
  return isZero && !ref.startsWith("rehearsal/") && !isDeclaredFree(ref, agentDir) ? undefined : { input, output, cacheRead, cacheWrite };
}

function isDeclaredFree(ref: string, agentDir: string): boolean {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(agentDir, "models.json"), "utf8"));
    const [provider = "", ...rest] = ref.split("/");
    const models = member(member(member(parsed, "providers"), provider), "models");
    const entry: unknown = Array.isArray(models) ? models.find((model: unknown) => member(model, "id") === rest.join("/")) : undefined;
    return member(member(entry, "cost"), "input") === 0 && member(member(entry, "cost"), "output") === 0;
  } catch {
    return false; // no such file, or one with comments: then the price stays unknown, which is the careful reading
  }
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
