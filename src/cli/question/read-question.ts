import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { HypoError, messageOf } from "../../domain/errors.ts";
import type { RunOptions } from "../commands/options.ts";
import type { Io } from "../io.ts";
import { askInEditor } from "./ask-in-editor.ts";

const LONGEST_QUESTION = 8000;

/**
 * The question of a run on one line: from the argument, `--file`, stdin (`-`, or what is piped in), or at a terminal
 * the person's editor.
 *
 * @throws HypoError `usage` where there is none, more than one, or one that cannot be taken.
 */
export async function readQuestion({ question, file }: Pick<RunOptions, "question" | "file">, io: Io): Promise<string> {
  if (file !== undefined && question !== undefined) {
    throw new HypoError("usage", "`hypo run` was given a question and a file with another.", { hint: "Leave out one of them." });
  }
  if (file !== undefined) return tidyQuestion(decode(await readBytes(resolve(io.cwd, file)), file));
  if (question !== undefined && question !== "-") return tidyQuestion(question);
  if (question === undefined && io.isTty.stdin) return tidyQuestion(io.isTty.stderr ? await askInEditor(io) : "");
  return tidyQuestion(decode(await readAll(io.openStdin()), "stdin"));
}

/**
 * A question as runs take it: white space folded, not empty and not too long.
 *
 * @throws HypoError `usage`
 */
export function tidyQuestion(text: string): string {
  const question = text.replace(/\s+/g, " ").trim();
  if (question === "")
    throw new HypoError("usage", "`hypo run` needs a question.", { hint: 'For example: hypo run "Does vitamin D shorten colds?"' });
  if (question.length > LONGEST_QUESTION) {
    throw new HypoError("usage", `The question has ${question.length} characters, and at most ${LONGEST_QUESTION} are taken.`, {
      hint: "Put material into files of the project; agents can read them.",
    });
  }
  if (!question.isWellFormed() || /\p{Cc}/u.test(question)) {
    throw new HypoError("usage", "The question holds control characters, or halves of characters.", { hint: "Write it as plain text." });
  }
  return question;
}

async function readBytes(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: unknown) => {
    throw new HypoError("usage", `${path} cannot be read: ${messageOf(error)}.`, { hint: "Name a text file.", cause: error });
  });
}

async function readAll(stream: NodeJS.ReadableStream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new HypoError("usage", `What ${name} holds is not UTF-8 text.`, {
      hint: "Convert it, for example with `iconv -t UTF-8`.",
      cause: error,
    });
  }
}
