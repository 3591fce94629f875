import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";

/** `meta.json`: what a run was started with; never changed. Only what is shown is required. */
export const RunMeta = z.object({
  v: z.literal(1),
  run: z.string(),
  question: z.string(),
  created: z.string(),
  origin: z.string().optional(),
});
export type RunMeta = z.infer<typeof RunMeta>;

/** `status.json`: the process that works, or worked, on the run. */
export const RunProcess = z.object({
  v: z.literal(1),
  state: z.enum(["starting", "running", "complete", "failed", "stopping", "stopped"]),
  pid: z.int(),
  /** With `boot` it tells the process from a later one with the same pid. */
  pid_started: z.union([z.string(), z.number()]).transform(String),
  boot: z.string(),
  heartbeat: z.string(),
  /** Branches at work. */
  branches: z.array(z.string()).default([]),
  exit_code: z.int().optional(),
  error: z.string().optional(),
});
export type RunProcess = z.infer<typeof RunProcess>;

/** @throws HypoError `run_damaged` where it is missing or not what it should be. */
export async function readRunMeta(folder: string): Promise<RunMeta> {
  const meta = await readJson(join(folder, "meta.json"), RunMeta);
  if (meta) return meta;
  throw new HypoError("run_damaged", `${join(folder, "meta.json")} is missing.`, { hint: "The run cannot be shown without it." });
}

/** Undefined before the run's process wrote it. Throws `run_damaged`. */
export async function readRunProcess(folder: string): Promise<RunProcess | undefined> {
  return readJson(join(folder, "status.json"), RunProcess);
}

async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw new HypoError("run_damaged", `${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new HypoError("run_damaged", `${path} is not what hypo writes there.`, { hint: "Was it edited?", cause: error });
  }
}
