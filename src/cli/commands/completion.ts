import { COMPLETION_SCRIPTS } from "../completion/scripts.ts";
import { writeJson, type Io } from "../io.ts";
import type { GlobalOptions, Shell } from "./options.ts";

/** Prints what a shell sources to complete hypo's command lines. */
export async function completionCommand(shell: Shell, { json }: GlobalOptions, io: Io): Promise<number> {
  const script = COMPLETION_SCRIPTS[shell];
  if (json) writeJson(io, { shell, script });
  else io.stdout.write(script);
  return 0;
}
