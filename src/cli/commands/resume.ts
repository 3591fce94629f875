import { HypoError } from "../../domain/errors.ts";
import type { Io } from "../io.ts";
import type { ResumeOptions } from "./options.ts";

/** Resolves to the exit code. */
export async function resumeCommand(_options: ResumeOptions, _io: Io): Promise<number> {
  throw new HypoError("internal", "`hypo resume` is not wired in this build.");
}
