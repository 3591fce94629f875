import { HypoError } from "../../domain/errors.ts";
import { checkMaterial, type MaterialPlace } from "../material/check-material.ts";
import type { BatchItem } from "./batch-line.ts";
import type { Problem } from "./csv.ts";

/** What items name as their material and cannot be given, each with its line. What many items name is looked at once. */
export async function findBadContext(items: readonly BatchItem[], place: MaterialPlace): Promise<Problem[]> {
  const known = new Map<string, string | undefined>();
  const problems: Problem[] = [];
  for (const { line, sets } of items) {
    for (const given of sets.context ?? []) {
      if (!known.has(given)) known.set(given, await describeProblem(given, place));
      const problem = known.get(given);
      if (problem !== undefined) problems.push({ line, message: `context: ${problem}` });
    }
  }
  return problems;
}

async function describeProblem(given: string, place: MaterialPlace): Promise<string | undefined> {
  try {
    await checkMaterial([given], place);
    return undefined;
  } catch (error) {
    if (error instanceof HypoError) return error.message;
    throw error;
  }
}
