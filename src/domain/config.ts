import { z } from "zod";
import { Budget, Limits } from "./limits.ts";
import { ThinkingLevel } from "./model.ts";

const Url = z.url({ protocol: /^https?$/ });

/** Every configuration key, with the line that documents it. Help and docs are generated from here. */
export const Config = z.strictObject({
  model: z.string().optional().describe("supervisor's model as provider/id; Pi's default model where unset"),
  thinking: ThinkingLevel.optional().describe("thinking level of all agents; Pi's default where unset"),
  subagent_model: z
    .string()
    .default("deepseek/deepseek-flash")
    .describe("children's model as provider/id, or inherit for the supervisor's"),
  stream_idle_seconds: z.number().positive().default(120).describe("a model stream silent for so long is cut and asked again"),
  limits: Limits.prefault({}),
  budget: Budget.prefault({}),
  search: z
    .strictObject({
      searxng_url: Url.optional().describe("your SearXNG server"),
      contact: z.string().optional().describe("mail address or URL in the User-Agent, as scholarly APIs ask for"),
      openalex_key: z.string().optional().describe("free OpenAlex key, for ten times the daily searches"),
      providers: z
        .array(z.enum(["searxng", "openalex", "crossref", "arxiv", "europepmc", "wikipedia"]))
        .optional()
        .describe("search providers to use, in order"),
    })
    .prefault({}),
  read: z
    .strictObject({
      firecrawl_url: Url.optional().describe("your Firecrawl server, for pages that need scripts"),
      browser_url: Url.optional().describe("your browser adapter, for pages that need interaction"),
    })
    .prefault({}),
  gateway: z
    .strictObject({
      allow_hosts: z
        .array(z.string().min(1, "a host is empty"))
        .default([])
        .describe("hosts (host or host:port) let through the address policy; off by default"),
      max_bytes: z.int().positive().default(20_000_000).describe("largest document read, after decompression"),
      timeouts: z
        .strictObject({
          first_byte_seconds: z.number().positive().default(20).describe("longest wait for the first byte"),
          total_seconds: z.number().positive().default(90).describe("longest time for one document"),
          idle_seconds: z.number().positive().default(20).describe("longest silence within a document"),
        })
        .prefault({}),
    })
    .prefault({}),
  experiment: z
    .strictObject({
      image: z.string().default("python:3.12-slim").describe("container image of experiments that name none"),
      images: z.array(z.string()).default([]).describe("further images that plans may name"),
      cpus: z.number().min(0.01).default(1).describe("most processors one experiment may use"),
      memory_mb: z.int().positive().default(1024).describe("most memory one experiment may use, in megabytes"),
      seconds: z.number().positive().default(600).describe("longest time of one execution"),
      concurrency: z.int().min(1).default(2).describe("experiments running at once"),
      runtime: z.string().optional().describe("container runtime such as runsc; the engine's default where unset"),
    })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;

export const CONFIG_DEFAULT: Config = Config.parse({});
