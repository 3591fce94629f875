import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { HypoError, systemCodeOf, type ErrorCode } from "../../domain/errors.ts";
import { writeFileAtomic } from "../../files/atomic.ts";

const Base = { v: z.literal(1), id: z.string(), at: z.string(), branch: z.string().optional() };

/** What a person asks of a run's process: `control/<id>.json`. `branch` left out means the only one, or all of them. */
export const ControlRequest = z.discriminatedUnion("do", [
  z.object({ ...Base, do: z.literal("pause") }),
  z.object({ ...Base, do: z.literal("unpause") }),
  z.object({ ...Base, do: z.literal("steer"), agent: z.string(), message: z.string() }),
  z.object({ ...Base, do: z.literal("cancel"), agent: z.string(), subtree: z.boolean() }),
  z.object({ ...Base, do: z.literal("fork"), from: z.int(), name: z.string(), reason: z.string() }),
]);
export type ControlRequest = z.infer<typeof ControlRequest>;

/** The process's answer: `control/<id>.ack.json`. */
export const ControlAnswer = z.object({
  v: z.literal(1),
  id: z.string(),
  ok: z.boolean(),
  /** What was done, or why it was not. */
  message: z.string(),
  code: z.string().optional(),
  hint: z.string().optional(),
});
export type ControlAnswer = z.infer<typeof ControlAnswer>;

const REQUEST_NAME = /^(c-[0-9]{17}-[0-9a-f]{8})\.json$/;

/** Requests are answered in the order of their ids, which begin with the time. */
export function makeRequestId(at: Date, random: string): string {
  return `c-${at.toISOString().replace(/\D/g, "")}-${random}`;
}

export function requestFile(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}

export async function writeRequestFile(folder: string, request: ControlRequest): Promise<void> {
  await writeFileAtomic(requestFile(folder, request.id), `${JSON.stringify(request)}\n`);
}

export async function writeAnswer(folder: string, answer: ControlAnswer): Promise<void> {
  await writeFileAtomic(answerFile(folder, answer.id), `${JSON.stringify(answer)}\n`);
}

/** Ids of all requests in a control folder, oldest first. */
export async function listRequests(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw error;
  });
  return names.flatMap((name) => REQUEST_NAME.exec(name)?.[1] ?? []).sort();
}

/** A request; undefined where it was withdrawn. Throws `usage` where the file is not a request. */
export async function readRequest(folder: string, id: string): Promise<ControlRequest | undefined> {
  const text = await readIfThere(requestFile(folder, id));
  if (text === undefined) return undefined;
  const parsed = ControlRequest.safeParse(parseJson(text));
  if (parsed.success && parsed.data.id === id) return parsed.data;
  throw new HypoError("usage", `${requestFile(folder, id)} is not a request that this hypo knows.`);
}

export async function readAnswer(folder: string, id: string): Promise<ControlAnswer | undefined> {
  const text = await readIfThere(answerFile(folder, id));
  return text === undefined ? undefined : ControlAnswer.safeParse(parseJson(text)).data;
}

/** The error that a refusing answer stands for. */
export function refusalOf({ code, message, hint }: ControlAnswer): HypoError {
  return new HypoError((code as ErrorCode | undefined) ?? "refused", message, { hint });
}

function answerFile(folder: string, id: string): string {
  return join(folder, `${id}.ack.json`);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
