import { join } from "node:path";
import { canonicalJson, hashOf } from "../../domain/hash.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";
import type { Outcome } from "./outcome.ts";
import { compareFile } from "./read-files.ts";

/** Plans have their hashes, on disk too, and were recorded before anything ran. */
export async function checkPlans(folder: string, facts: EvidenceFacts, found: Outcome): Promise<void> {
  const registered = new Map<string, { seq: number; sha256: string }>();
  for (const { seq, data } of facts.of("plan_registered")) {
    found.checked.plans += 1;
    const { experiment, plan, plan_sha256 } = data;
    if (!registered.has(experiment)) registered.set(experiment, { seq, sha256: plan_sha256 });
    if (hashOf(plan) !== plan_sha256) found.add("plan_changed", experiment, `Fact ${seq} holds a plan that does not have its hash.`);
    const manifest = canonicalJson({ v: 1, plan_sha256, data: plan.data });
    for (const [name, expected] of [
      ["plan.json", canonicalJson(plan)],
      ["data-manifest.json", manifest],
    ] as const) {
      const problem = await compareFile(join(folder, experiment, name), expected);
      if (problem !== undefined) found.add("plan_changed", `experiments/${experiment}/${name}`, problem);
    }
  }
  for (const { seq, data } of facts.of("experiment_started")) {
    const plan = registered.get(data.experiment);
    const where = `${data.experiment}, execution ${data.execution}`;
    if (plan === undefined || plan.seq > seq) found.add("plan_late", where, "It began before its plan was recorded.");
    else if (plan.sha256 !== data.plan_sha256) found.add("plan_changed", where, "It ran against another plan than the registered one.");
  }
}
