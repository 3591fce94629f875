import { COMPLETION_SCRIPTS } from "../completion/scripts.ts";
import type { Io } from "../io.ts";
import type { Shell } from "./options.ts";

/** Prints what a shell sources to complete hypo's command lines. */
export async function completionCommand(shell: Shell, io: Io): Promise<number> {
  io.stdout.write(COMPLETION_SCRIPTS[shell]);
  return 0;
}
