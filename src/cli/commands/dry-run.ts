import type { Config } from "../../domain/config.ts";
import { HypoError } from "../../domain/errors.ts";
import type { ResolvedModel } from "../../domain/model.ts";
import { systemClock } from "../../engine/system-clock.ts";
import { loadConfig } from "../config/load.ts";
import { describePrice } from "../doctor/check-models.ts";
import { writeJson, writeOut, type Io } from "../io.ts";
import { checkMaterial, placeOf, type CheckedMaterial } from "../material/check-material.ts";
import { plainLine } from "../output/plain-text.ts";
import { count, money } from "../output/quantities.ts";
import { findProject } from "../project/project.ts";
import type { RunOptions } from "./options.ts";

const ENGINE_MS = 8000;

/**
 * Says what a run would go on with: models, prices, limits, material, gateways, sandbox. Asks no model, fetches nothing,
 * makes no project, records nothing. What would refuse the run (missing files, an unknown model, missing credentials)
 * refuses this too, with the same exit code.
 */
export async function dryRunCommand(options: RunOptions, io: Io): Promise<number> {
  const { config } = await loadConfig(io, options);
  const material = await checkMaterial(options.context, placeOf(io, config));
  const [models, sandbox] = [await resolveModels(options, config, io), await resolveSandbox(config)];
  const project = await findProject(io.cwd);
  if (options.json) {
    const { limits, budget, search, read, gateway } = config;
    writeJson(io, {
      project: project?.root ?? null,
      models: {
        supervisor: modelAsJson(models.supervisor),
        subagent: modelAsJson(models.subagent),
        thinking: models.thinking,
        agent_dir: models.agentDir,
      },
      limits,
      budget,
      context: material,
      gateways: {
        searxng_url: search.searxng_url ?? null,
        providers: search.providers ?? null,
        firecrawl_url: read.firecrawl_url ?? null,
        browser_url: read.browser_url ?? null,
        allow_hosts: gateway.allow_hosts,
      },
      sandbox,
    });
    return 0;
  }
  for (const [title, text] of [
    ["Project", project?.root ?? `none yet; it would be made in ${io.cwd}`],
    ["Supervisor", describeModel(models.supervisor)],
    ["Subagents", describeModel(models.subagent)],
    ["Thinking", models.thinking],
    ["Budget", describeBudget(config.budget)],
    ["Limits", describeLimits(config.limits)],
    ...material.map((each) => ["Context", describeMaterial(each)] as const),
    ["Search", describeSearch(config)],
    ["Reading", describeReading(config)],
    ["Experiments", sandbox.available ? `${sandbox.engine}, image ${sandbox.image}` : `${sandbox.reason} Tests would not be made.`],
  ] as const) {
    writeOut(io, `${title.padEnd(11)}  ${plainLine(text)}`);
  }
  return 0;
}

async function resolveModels({ agentDir }: RunOptions, config: Config, io: Io) {
  const { openModelContext } = await import("../../pi/model-context.ts");
  const { model, subagent_model: subagentModel, thinking } = config;
  // Pi reads and sets the environment of the process itself, so it is given that one.
  return openModelContext({ cwd: io.cwd, agentDir, model, subagentModel, thinking, rehearsal: false, env: process.env });
}

type Sandbox =
  | { available: true; engine: string; image: string; image_present: boolean; seconds: number; memory_mb: number; cpus: number }
  | { available: false; reason: string; hint: string };

async function resolveSandbox({ experiment }: Config): Promise<Sandbox> {
  const { examineDocker } = await import("../../sandbox/index.ts");
  const { image, seconds, memory_mb, cpus } = experiment;
  try {
    const { engine, hasImage } = await examineDocker({ experiment, clock: systemClock, dockerHost: undefined, timeoutMs: ENGINE_MS });
    return { available: true, engine, image, image_present: hasImage, seconds, memory_mb, cpus };
  } catch (error) {
    if (!(error instanceof HypoError)) throw error;
    return { available: false, reason: error.message, hint: error.hint ?? "" };
  }
}

function modelAsJson({ ref, price, contextWindow, maxTokens }: ResolvedModel) {
  return {
    model: ref,
    usd_per_million_tokens: price
      ? { input: price.input, output: price.output, cache_read: price.cacheRead, cache_write: price.cacheWrite }
      : null,
    context_window: contextWindow,
    max_tokens: maxTokens,
  };
}

function describeModel({ ref, price, contextWindow }: ResolvedModel): string {
  return `${ref}, ${describePrice(price)}, context ${count(contextWindow)} tokens`;
}

function describeBudget({ usd, tokens, hours }: Config["budget"]): string {
  return `${usd === null ? "no cap on money" : `at most ${money(usd)}`}, ${count(tokens)} tokens, ${hours} h`;
}

function describeLimits({ agents, depth, children, streaming, iterations }: Config["limits"]): string {
  return `${iterations} iterations, ${agents} agents to depth ${depth}, ${children} children each, ${streaming} answers at once`;
}

function describeMaterial({ given, files }: CheckedMaterial): string {
  return files === null ? `${given}, which would be read then` : `${given}, ${files === 1 ? "1 file" : `${count(files)} files`}`;
}

function describeSearch({ search }: Config): string {
  const web = search.searxng_url === undefined ? "no general web search (search.searxng_url)" : `SearXNG at ${search.searxng_url}`;
  return `${web}; ${search.providers === undefined ? "scholarly services and Wikipedia" : `only ${search.providers.join(", ")}`}`;
}

function describeReading({ read, gateway }: Config): string {
  return [
    read.firecrawl_url === undefined ? "pages without their scripts" : `Firecrawl at ${read.firecrawl_url}`,
    read.browser_url === undefined ? "no browser" : `browser adapter at ${read.browser_url}`,
    ...(gateway.allow_hosts.length === 0 ? [] : [`let through the address policy: ${gateway.allow_hosts.join(", ")}`]),
  ].join("; ");
}
