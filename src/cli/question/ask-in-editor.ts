import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import type { Io } from "../io.ts";

const RULER = "------------------------ >8 ------------------------";
const TEMPLATE = `\n${RULER}\nWrite the question above the ruler; what is below it is left out.\nLeave it empty to start nothing.\n`;

/**
 * What the person writes as the question, in `$VISUAL` or `$EDITOR`.
 *
 * @throws HypoError `usage` where neither is set, the editor fails, or nothing is written.
 */
export async function askInEditor({ env, cwd }: Pick<Io, "env" | "cwd">): Promise<string> {
  const editor = env["VISUAL"] || env["EDITOR"];
  if (!editor) {
    throw new HypoError("usage", "`hypo run` needs a question, and neither $VISUAL nor $EDITOR names an editor to write it in.", {
      hint: 'For example: hypo run "Does vitamin D shorten colds?"',
    });
  }
  const folder = await mkdtemp(join(tmpdir(), "hypo-question-"));
  const path = join(folder, "question.md");
  try {
    await writeFile(path, TEMPLATE);
    await edit(editor, path, cwd);
    const [question = ""] = (await readFile(path, "utf8")).split(RULER);
    if (question.trim() !== "") return question;
    throw new HypoError("usage", "The question was left empty, so nothing was started.", { hint: "Write it above the ruler and save." });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By the shell, as git does: an editor's variable may hold options. */
async function edit(editor: string, path: string, cwd: string): Promise<void> {
  const child = spawn("sh", ["-c", `${editor} "$@"`, editor, path], { cwd, stdio: "inherit" });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code === 0) return;
  throw new HypoError(
    "usage",
    `The editor (${editor}) ended with ${code === null ? "a signal" : `exit code ${code}`}; nothing was started.`,
    {
      hint: "Set $VISUAL or $EDITOR to an editor that waits until you are done.",
    },
  );
}
