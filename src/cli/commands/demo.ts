import { HypoError } from "../../domain/errors.ts";
import type { Io } from "../io.ts";
import type { DemoOptions } from "./options.ts";

/** Resolves to the exit code. */
export async function demoCommand(_options: DemoOptions, _io: Io): Promise<number> {
  throw new HypoError("internal", "`hypo demo` is not wired in this build.");
}
