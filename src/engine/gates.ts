import { randomBytes } from "node:crypto";
import { link, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { HypoError, messageOf, systemCodeOf } from "../domain/errors.ts";
import { canonicalJson } from "../domain/hash.ts";
import { jsonForShell } from "../domain/shell-word.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import type { RunFolder } from "./run-folder.ts";
import type { GateRecord } from "./state/run-state.ts";

const Resolution = z.object({ v: z.literal(1), event: z.string(), output: z.unknown().optional() });
export type Resolution = z.infer<typeof Resolution>;

/** Makes a gate's request readable as a file, for people and other programs. Writing it again changes nothing. */
export async function writeRequest(folder: RunFolder, branch: string, gate: GateRecord): Promise<void> {
  const { seq, prompt, options, allowedEvents, outputSchema } = gate;
  const request = { v: 1, branch, seq, gate: gate.gate, prompt, options, allowed_events: allowedEvents, output_schema: outputSchema };
  await writeFileAtomic(join(gateFolder(folder, branch, seq), "request.json"), `${JSON.stringify(request, null, 2)}\n`);
}

/** The person's answer to a gate, once it is there. */
export async function readResolution(folder: RunFolder, branch: string, seq: number): Promise<Resolution | undefined> {
  const path = join(gateFolder(folder, branch, seq), "resolution.json");
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed = Resolution.safeParse(parseJson(text));
  if (!parsed.success)
    throw new HypoError("run_damaged", `${path} is not an answer to a gate.`, { hint: "Remove it and answer again with `hypo respond`." });
  return parsed.data;
}

/**
 * Answers a gate. The first answer stands: giving it again is fine, another one is refused.
 *
 * @throws HypoError `refused` for an event or output that the gate does not take, or a different earlier answer.
 */
export async function answerGate(
  folder: RunFolder,
  branch: string,
  gate: GateRecord,
  resolution: Omit<Resolution, "v">,
): Promise<"answered" | "repeated"> {
  const problem = answerProblem(gate, resolution);
  if (problem) throw problem;
  const place = gateFolder(folder, branch, gate.seq);
  const wanted: Resolution = { v: 1, ...resolution };
  const draft = join(place, `answer-${process.pid}-${randomBytes(4).toString("hex")}.json`);
  await writeFileAtomic(draft, `${JSON.stringify(wanted)}\n`);
  try {
    await link(draft, join(place, "resolution.json"));
    return "answered";
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
    const earlier = await readResolution(folder, branch, gate.seq);
    if (canonicalJson(earlier) === canonicalJson(wanted)) return "repeated";
    throw new HypoError("refused", `Gate ${gate.seq} has been answered differently already: ${JSON.stringify(earlier)}.`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}

/** Why a gate does not take an answer; undefined where it does. */
export function answerProblem(gate: GateRecord, { event, output }: Omit<Resolution, "v">): HypoError | undefined {
  if (event === "FAILED" || !gate.allowedEvents.includes(event)) {
    return new HypoError("refused", `Gate ${gate.seq} does not take the event ${event}.`, {
      hint: `It takes: ${gate.allowedEvents.join(", ")}.`,
    });
  }
  const values = gate.options.map((option) => option.value);
  if (values.length > 0 && (typeof output !== "string" || !values.includes(output))) {
    return new HypoError("refused", `Gate ${gate.seq} takes one of its options as output.`, {
      hint: `--output ${values.map(jsonForShell).join(" or ")}`,
    });
  }
  const misfit = gate.outputSchema === undefined ? undefined : readSchema(gate.outputSchema).safeParse(output).error;
  return (
    misfit &&
    new HypoError("refused", `The output does not fit gate ${gate.seq}: ${z.prettifyError(misfit)}`, {
      hint: `--output takes JSON that fits ${JSON.stringify(gate.outputSchema)}`,
    })
  );
}

/** Why a JSON Schema cannot be asked for; undefined where it can. */
export function schemaProblem(schema: unknown): string | undefined {
  try {
    readSchema(schema);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function readSchema(schema: unknown): z.ZodType {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}

function gateFolder(folder: RunFolder, branch: string, seq: number): string {
  return join(folder.path, "gates", branch, String(seq));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
