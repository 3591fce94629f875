import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelPrice } from "../../src/domain/model.ts";

/** The scripted model as `provider/id`. */
export const SCRIPTED_MODEL = "scripted/scripted";

export interface AgentDirOptions {
  /** US dollars per million tokens; by default 1 in, 10 out, 0.1 from the cache. */
  cost?: ModelPrice;
  maxTokens?: number;
  contextWindow?: number;
  /** Null leaves the credential out. */
  apiKey?: string | null;
  /** Added to Pi's settings.json. */
  settings?: Record<string, unknown>;
}

/** Writes a Pi agent directory whose default model, `scripted/scripted`, is the server at `url`. */
export async function writeAgentDir(folder: string, url: string, options: AgentDirOptions = {}): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "models.json"), JSON.stringify({ providers: { scripted: providerAt(url, options) } }, null, 2));
  const settings = { defaultProvider: "scripted", defaultModel: "scripted", defaultThinkingLevel: "off", ...options.settings };
  await writeFile(join(folder, "settings.json"), JSON.stringify(settings, null, 2));
}

function providerAt(url: string, options: AgentDirOptions): Record<string, unknown> {
  const { cost = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 0 }, maxTokens = 8192, contextWindow = 200_000 } = options;
  const { apiKey = "scripted-key" } = options;
  return {
    name: "Scripted model on loopback",
    baseUrl: url,
    api: "openai-completions",
    ...(apiKey === null ? {} : { apiKey }),
    compat: { sendSessionAffinityHeaders: true, supportsDeveloperRole: false },
    models: [{ id: "scripted", name: "Scripted", reasoning: false, input: ["text"], cost, contextWindow, maxTokens }],
  };
}
