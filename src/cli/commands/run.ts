import { HypoError } from "../../domain/errors.ts";
import type { Io } from "../io.ts";
import type { RunOptions } from "./options.ts";

/** Resolves to the exit code. */
export async function runCommand(_options: RunOptions, _io: Io): Promise<number> {
  throw new HypoError("internal", "`hypo run` is not wired in this build.");
}
