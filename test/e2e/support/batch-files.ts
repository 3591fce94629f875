import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BatchResult } from "../../../src/cli/batch/batch-result.ts";
import type { Project } from "../../support/hypo.ts";

/** The results in a text of JSON lines. */
export function resultsIn(text: string): BatchResult[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as BatchResult);
}

/** Writes a file of JSON lines into the project. */
export async function writeLines({ folder }: Project, name: string, lines: readonly object[]): Promise<void> {
  await writeFile(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
