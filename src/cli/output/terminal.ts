import type { Io } from "../io.ts";

/** Columns of the terminal that stdout is; undefined for pipes and files, where nothing is cut. */
export function terminalWidth(io: Io): number | undefined {
  return io.isTty.stdout && "columns" in io.stdout && typeof io.stdout.columns === "number" ? io.stdout.columns : undefined;
}
