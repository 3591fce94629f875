import { HypoError } from "../../domain/errors.ts";
import type { Io } from "../io.ts";
import type { StopOptions } from "./options.ts";

/** Resolves to the exit code. */
export async function stopCommand(_options: StopOptions, _io: Io): Promise<number> {
  throw new HypoError("internal", "`hypo stop` is not wired in this build.");
}
