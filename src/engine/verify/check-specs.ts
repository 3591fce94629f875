import { relative } from "node:path";
import { hashOf, canonicalJson } from "../../domain/hash.ts";
import { isRunId, stampOf } from "../../domain/ids.ts";
import { renderSpec } from "../agent/spec.ts";
import type { RunFolder } from "../run-folder.ts";
import { RunMeta } from "../run-meta.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";
import type { Outcome } from "./outcome.ts";
import { compareFile, readStored } from "./read-files.ts";

/** `YYYYMMDD-hhmmss` */
const STAMP_LENGTH = 15;

/** `meta.json` says what the first fact says. */
export async function checkMeta(folder: RunFolder, facts: EvidenceFacts, found: Outcome): Promise<void> {
  const started = facts.of("run_started")[0];
  if (started === undefined) return;
  const { bytes, problem } = await readStored(folder.meta);
  if (bytes === undefined) return found.add("meta_changed", "meta.json", problem);
  const meta = RunMeta.safeParse(parseJson(bytes));
  if (!meta.success) return found.add("meta_changed", "meta.json", "It is not what hypo writes there.");
  const { run, question, models, prompts_sha256, hypo, pi, rehearsal } = started.data;
  const recorded: Record<string, unknown> = { run, question, models, prompts_sha256, hypo, pi, rehearsal };
  for (const [key, value] of Object.entries(recorded)) {
    if (canonicalJson(meta.data[key as keyof RunMeta]) !== canonicalJson(value))
      found.add("meta_changed", "meta.json", `Its ${key} differs from the run_started fact.`);
  }
  const { created } = meta.data;
  if (created > started.at || (isRunId(run) && stampOf(created) < run.slice(0, STAMP_LENGTH)))
    found.add("meta_changed", "meta.json", "It was not created between the time in the run's id and the run's first fact.");
}

/** Agents' specifications on disk are those that were recorded. */
export async function checkSpecs(folder: RunFolder, facts: EvidenceFacts, found: Outcome): Promise<void> {
  for (const fact of facts.of("agent_spawned")) {
    const { data, seq } = fact;
    found.checked.specs += 1;
    const path = folder.agentSpec(data.agent, facts.courseOf(fact));
    const where = relative(folder.path, path);
    if (hashOf(data.spec) !== data.spec_sha256)
      found.add("spec_changed", where, `Fact ${seq} holds a specification that does not have its hash.`);
    const problem = await compareFile(path, renderSpec(data.spec));
    if (problem !== undefined) found.add("spec_changed", where, problem);
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}
