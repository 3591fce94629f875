import { resolve } from "node:path";
import { TOPICS } from "../help-topics.ts";
import { writeOut, type Io } from "../io.ts";
import { plainLine } from "../output/plain-text.ts";
import { COMMANDS, GLOBAL_OPTIONS, GROUPS } from "../registry.ts";
import { complete, type Candidate } from "./complete.ts";
import { lookUp } from "./look-up.ts";

/**
 * Answers a shell: one candidate a line, its summary behind a tab; `:files` or `:folders` where the shell is to
 * complete those itself.
 *
 * @param words what stands after `hypo`, up to the cursor, the last of them under it
 */
export async function answerShell(words: readonly string[], io: Io): Promise<number> {
  const completion = complete(words, { commands: COMMANDS, groups: GROUPS, topics: TOPICS, globals: GLOBAL_OPTIONS });
  if (completion.kind === "words") return offer(completion.candidates, io);
  const { completes, run } = completion;
  if (completes === "file" || completes === "folder") writeOut(io, `:${completes}s`);
  else offer(await lookUp(completes, words.at(-1) ?? "", run, folderOf(words, io)), io);
  return 0;
}

function offer(candidates: readonly Candidate[], io: Io): number {
  for (const { value, summary } of candidates) writeOut(io, `${value}\t${plainLine(summary)}`);
  return 0;
}

/** The folder that the line names with `-C`, else the current one. */
function folderOf(words: readonly string[], io: Io): string {
  const at = words.findLastIndex((word) => word === "-C" || word === "--cwd");
  return at < 0 || at + 2 >= words.length ? io.cwd : resolve(io.cwd, words[at + 1] ?? "");
}
