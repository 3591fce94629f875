import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Config } from "../../domain/config.ts";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";
import type { Clock, SourceStore } from "../../domain/ports.ts";
import { ReferenceCheck } from "../../domain/reference-check.ts";
import { systemClock } from "../../engine/system-clock.ts";
import { writeFileAtomic } from "../../files/atomic.ts";
import { loadConfig } from "../config/load.ts";
import type { Io } from "../io.ts";
import { readVersion } from "../start.ts";

const ChecksFile = z.object({ v: z.literal(1), checks: z.record(z.string(), ReferenceCheck) });

/** What is known of the references of a project, by source: `.hypo/references.json`. */
export type ReferenceChecks = ReadonlyMap<string, ReferenceCheck>;

/** @throws HypoError `storage_failed` where the file is not what hypo writes there. */
export async function readReferenceChecks(state: string): Promise<ReferenceChecks> {
  const path = join(state, "references.json");
  try {
    return new Map(Object.entries(ChecksFile.parse(JSON.parse(await readFile(path, "utf8"))).checks));
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return new Map();
    throw new HypoError("storage_failed", `${path} cannot be read: ${messageOf(error)}.`, {
      hint: "Restore it from git, or remove it and ask again with `hypo verify <run> --check-refs`.",
      cause: error,
    });
  }
}

/** What asking needs. */
interface ReferenceContext {
  /** The `.hypo` folder. */
  state: string;
  sources: Pick<SourceStore, "find">;
  config: Config;
  clock: Clock;
  version: string;
  signal: AbortSignal;
}

/** The context of a command. */
export async function referenceContext(state: string, sources: Pick<SourceStore, "find">, io: Io): Promise<ReferenceContext> {
  const { config } = await loadConfig(io);
  return { state, sources, config, clock: systemClock, version: readVersion(), signal: new AbortController().signal };
}

/** Asks about sources, keeps the answers beside those known already, and gives all of them. */
export async function checkReferences(ids: Iterable<string>, context: ReferenceContext): Promise<ReferenceChecks> {
  const { state, sources, signal, ...options } = context;
  const { createReferenceChecker } = await import("../../gateway/index.ts");
  const checker = createReferenceChecker(options);
  try {
    const fresh: ReferenceCheck[] = [];
    for (const id of ids) {
      const source = await sources.find(id);
      if (source) fresh.push(await checker.check(source, signal));
    }
    const all = new Map([...(await readReferenceChecks(state)), ...fresh.map((check) => [check.source, check] as const)]);
    const file = { v: 1, checks: Object.fromEntries([...all].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
    await writeFileAtomic(join(state, "references.json"), `${JSON.stringify(file, null, 2)}\n`);
    return all;
  } finally {
    await checker.close();
  }
}
