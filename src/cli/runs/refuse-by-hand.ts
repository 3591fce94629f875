import { HypoError } from "../../domain/errors.ts";
import type { RunPlace } from "./find-run.ts";
import { readRunMeta } from "./run-files.ts";

/**
 * A run made by hand holds one experiment and every execution of it, in one line: `hypo experiments run` goes on where its
 * journal ends, and finds no experiment behind a head that was put back.
 *
 * @throws HypoError `refused` where the run was made by hand, `run_damaged` where nothing says how it was made
 */
export async function refuseByHand({ id, folder }: RunPlace, done: "rewound" | "forked"): Promise<void> {
  const { origin } = await readRunMeta(folder);
  if (origin !== "manual") return;
  throw new HypoError("refused", `Run ${id} was made by hand and cannot be ${done}: its plan and its executions stay as they are.`, {
    hint: "`hypo experiments run` executes its plan again, as a repeat; `hypo experiments register` registers a changed plan as a new one.",
  });
}
