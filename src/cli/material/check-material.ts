import { resolve } from "node:path";
import type { Config } from "../../domain/config.ts";
import { HypoError } from "../../domain/errors.ts";
import type { Io } from "../io.ts";
import { isWebAddress, refuseOtherAddress } from "./list-additions.ts";

/** Where material is looked for, and how large a file of it may be. */
export interface MaterialPlace {
  cwd: string;
  maxBytes: number;
  now: Date;
}

/** The place of what is named on the command line. */
export function placeOf(io: Pick<Io, "cwd" | "now">, { gateway }: Config): MaterialPlace {
  return { cwd: io.cwd, maxBytes: gateway.max_bytes, now: io.now() };
}

/** Something that a person gives a run, and how many files it stands for; null for a web address. */
export interface CheckedMaterial {
  given: string;
  files: number | null;
}

/**
 * Looks whether what is given with `--context` can be stored, without storing or fetching anything: a named file has
 * to be one that is taken, a folder has to hold one.
 *
 * @throws HypoError what a named file cannot be stored for; `not_found` where nothing is there, or nothing to read;
 *   `bad_url` for an address that is not read
 */
export async function checkMaterial(what: readonly string[], place: MaterialPlace): Promise<CheckedMaterial[]> {
  const checked: CheckedMaterial[] = [];
  for (const given of what) checked.push({ given, files: isWebAddress(given) ? null : await countFiles(given, place) });
  return checked;
}

async function countFiles(given: string, { cwd, maxBytes, now }: MaterialPlace): Promise<number> {
  const { listFilesToAdd, readFileToAdd } = await import("../../gateway/index.ts");
  refuseOtherAddress(given);
  const named = resolve(cwd, given);
  const files = await listFilesToAdd(named);
  for (const path of files) {
    const problem = await readFileToAdd(path, maxBytes, now).then(() => undefined, asTyped);
    if (problem === undefined) return files.length;
    if (path === named) throw problem;
  }
  throw new HypoError("not_found", `There is nothing to read in ${named}.`, { hint: "Give files, folders with text, or URLs." });
}

function asTyped(error: unknown): HypoError {
  if (error instanceof HypoError) return error;
  throw error;
}
