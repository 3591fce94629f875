import { resolve } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import { findPlaceToWrite } from "../../files/named-output.ts";
import type { BatchOptions } from "../commands/options.ts";
import type { Io } from "../io.ts";

/**
 * Refuses results that would be written over the questions or over one another.
 *
 * @throws HypoError `usage`; `storage_failed` for a link that nothing can be written behind
 */
export async function refuseSharedFiles(
  questions: string,
  options: Pick<BatchOptions, "out" | "junit" | "summary">,
  io: Io,
): Promise<void> {
  const taken = new Map([[await findPlaceToWrite(questions), "the questions"]]);
  for (const name of ["out", "junit", "summary"] as const) {
    const given = options[name];
    if (given === undefined) continue;
    const place = await findPlaceToWrite(resolve(io.cwd, given));
    const other = taken.get(place);
    if (other !== undefined) {
      throw new HypoError("usage", `--${name} ${given} would be written over ${other}.`, { hint: "Give it a file of its own." });
    }
    taken.set(place, `--${name}`);
  }
}
