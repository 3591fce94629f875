import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeAgentDir, type AgentDirOptions } from "../../support/agent-dir.ts";

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

async function written(options?: AgentDirOptions): Promise<{ provider: Record<string, unknown>; settings: unknown }> {
  const folder = await mkdtemp(join(tmpdir(), "hypo-agent-dir-"));
  try {
    await writeAgentDir(join(folder, "agent"), "http://127.0.0.1:1/v1", options);
    const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(folder, "agent", name), "utf8"));
    const models = (await read("models.json")) as { providers: { scripted: Record<string, unknown> } };
    return { provider: models.providers.scripted, settings: await read("settings.json") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it("writes a priced model with a credential and the session's id in its requests", async () => {
  expect((await written()).provider).toMatchObject({
    baseUrl: "http://127.0.0.1:1/v1",
    apiKey: "scripted-key",
    compat: { sendSessionAffinityHeaders: true },
    models: [{ id: "scripted", cost: { input: 1, output: 10 }, maxTokens: 8192, contextWindow: 200_000 }],
  });
});

it("takes price, limits and settings as they are given", async () => {
  const { provider, settings } = await written({
    cost: FREE,
    maxTokens: 64,
    contextWindow: 999,
    settings: { defaultThinkingLevel: "low" },
  });
  expect(provider).toMatchObject({ models: [{ cost: FREE, maxTokens: 64, contextWindow: 999 }] });
  expect(settings).toEqual({ defaultProvider: "scripted", defaultModel: "scripted", defaultThinkingLevel: "low" });
});

it("leaves the credential out when it is to be missing", async () => {
  expect((await written({ apiKey: null })).provider).not.toHaveProperty("apiKey");
});
