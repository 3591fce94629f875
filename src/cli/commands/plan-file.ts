import { createReadStream } from "node:fs";
import { z } from "zod";
import { HypoError, messageOf } from "../../domain/errors.ts";
import { PlanInput } from "../../engine/experiments/register-plan.ts";

/** The longest plan file that is read, in bytes. */
const BYTES_MAX = 1024 * 1024;
const HINT = "docs/sandbox.md has a whole plan to start from.";

/**
 * The plan that a YAML (or JSON) file describes.
 *
 * @throws HypoError `usage` where the file cannot be read, `plan_invalid` with what is wrong in it
 */
export async function readPlanFile(path: string): Promise<PlanInput> {
  const input = PlanInput.safeParse(await parseYaml(path, decode(path, await readBounded(path))));
  if (input.success) return input.data;
  throw new HypoError("plan_invalid", `The plan is not registered.\n${z.prettifyError(input.error)}`, { hint: HINT });
}

/** A pipe is a plan file too, and a device without an end must not be one. */
async function readBounded(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      const part = Buffer.from(chunk);
      chunks.push(part);
      bytes += part.length;
      if (bytes > BYTES_MAX) throw new HypoError("plan_invalid", `${path} has more than ${BYTES_MAX} bytes.`, { hint: HINT });
    }
  } catch (error) {
    if (error instanceof HypoError) throw error;
    throw new HypoError("usage", `The plan ${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  return Buffer.concat(chunks);
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new HypoError("plan_invalid", `${path} is not UTF-8 text.`, { hint: HINT, cause: error });
  }
}

/** What is frozen is what was written: where the reader would have to guess, it is refused. */
async function parseYaml(path: string, text: string): Promise<unknown> {
  const { parseAllDocuments } = await import("yaml");
  const documents = parseAllDocuments(text);
  const [document, second] = "empty" in documents ? [] : documents;
  if (document === undefined) throw new HypoError("plan_invalid", `${path} is empty.`, { hint: HINT });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) throw notYaml(path, problem);
  if (second !== undefined) throw new HypoError("plan_invalid", `${path} holds several documents; a plan is one.`, { hint: HINT });
  try {
    return document.toJS();
  } catch (error) {
    throw notYaml(path, error);
  }
}

/** The reader's first line says what and where; those below it quote the file. */
function notYaml(path: string, error: unknown): HypoError {
  const [what = ""] = messageOf(error).split("\n");
  return new HypoError("plan_invalid", `${path} is not YAML: ${what.replace(/[:.]$/, "")}.`, { hint: HINT, cause: error });
}
