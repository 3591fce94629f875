import { stat } from "node:fs/promises";
import { HypoError } from "../../domain/errors.ts";
import type { ModelPrice } from "../../domain/model.ts";
import type { ExaminedModels } from "../../pi/examine-models.ts";
import { failureOf, type Check, type Finding } from "./check.ts";

/**
 * Pi's directory, credentials, and models with their prices: three checks of one look, since Pi takes its time to load.
 * Whether a provider accepts its credentials is not asked: that would be a model call.
 */
export function checkModels(examineModels: () => Promise<ExaminedModels>): Check[] {
  let looked: Promise<ExaminedModels> | undefined;
  const look = (): Promise<ExaminedModels> => (looked ??= examineModels());
  return [
    { name: "pi directory", examine: async () => describeDirectory(await look()) },
    { name: "credentials", examine: async () => orSilent(look(), describeCredentials) },
    { name: "models", examine: async () => orSilent(look(), describeModels) },
  ];
}

async function describeDirectory({ agentDir, piVersion }: ExaminedModels): Promise<Finding> {
  const found = await stat(agentDir).catch(() => undefined);
  if (found?.isDirectory() === true) return { status: "ok", detail: `${agentDir} (Pi ${piVersion})` };
  return { status: "fail", detail: `there is no ${agentDir}`, fix: "Start `pi` and use `/login`, or name the directory with --agent-dir." };
}

/** What is wrong with the directory itself is told once, by its own line. */
async function orSilent(looking: Promise<ExaminedModels>, describe: (looked: ExaminedModels) => Finding[]): Promise<Finding | Finding[]> {
  return looking.then(describe, (): Finding => ({
    status: "warn",
    detail: "not looked at, since Pi's directory cannot be used",
    fix: "Mend the directory first.",
  }));
}

function describeCredentials({ models }: ExaminedModels): Finding[] {
  const findings = new Map<string, Finding>();
  for (const { model, credentialsProblem } of models) {
    if (model instanceof HypoError) continue;
    const { provider } = model;
    findings.set(provider, credentialsProblem ? failureOf(credentialsProblem) : { status: "ok", detail: `${provider}: present` });
  }
  return findings.size > 0
    ? [...findings.values()]
    : [{ status: "warn", detail: "not looked at, since no model is known", fix: "Choose the models first." }];
}

function describeModels({ models }: ExaminedModels): Finding[] {
  return models.map(({ role, model }): Finding => {
    if (model instanceof HypoError) {
      const { detail, fix } = failureOf(model);
      return { status: "fail", detail: `${role}: ${detail}`, fix };
    }
    const priced = `${role}: ${model.ref}, ${describePrice(model.price)}`;
    if (model.price !== undefined) return { status: "ok", detail: priced };
    return { status: "warn", detail: priced, fix: "Give its cost in Pi's models.json: without it the cap on money cannot count it." };
  });
}

/** A price per million tokens, in words. */
export function describePrice(price: ModelPrice | undefined): string {
  if (price === undefined) return "price unknown";
  if (price.input === 0 && price.output === 0) return "free";
  return `$${price.input} in and $${price.output} out per million tokens`;
}
