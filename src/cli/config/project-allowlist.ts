import { CONFIG_KEYS, putAt, valueAt } from "./keys.ts";

/**
 * What a project's file may set although its author may be a stranger: `any` value, or one `at_most` what would apply
 * without it. Everything else needs the person's trust: addresses that questions and pages would be sent to, hosts let
 * through the address policy, the container runtime, what is said of the person to services. New keys need it too.
 */
const PROJECT_MAY: Readonly<Record<string, "any" | "at_most">> = {
  model: "any",
  thinking: "any",
  subagent_model: "any",
  stream_idle_seconds: "at_most",
  "limits.depth": "at_most",
  "limits.children": "at_most",
  "limits.active": "at_most",
  "limits.agents": "at_most",
  "limits.streaming": "at_most",
  "limits.agent_minutes": "at_most",
  // More iterations cost more only within the budget, which holds.
  "limits.iterations": "any",
  "limits.iterations_without_progress": "any",
  "budget.usd": "at_most",
  "budget.tokens": "at_most",
  "budget.hours": "at_most",
  "search.providers": "any",
  "gateway.max_bytes": "at_most",
  "gateway.timeouts.first_byte_seconds": "at_most",
  "gateway.timeouts.total_seconds": "at_most",
  "gateway.timeouts.idle_seconds": "at_most",
  // Experiments have no network, whatever the image.
  "experiment.image": "any",
  "experiment.images": "any",
  "experiment.cpus": "at_most",
  "experiment.memory_mb": "at_most",
  "experiment.seconds": "at_most",
  "experiment.concurrency": "at_most",
};

/** A setting of a project's file that has no effect, since the file is not trusted. */
export interface IgnoredSetting {
  key: string;
  /** The most that it may be without trust; undefined where it may not be set at all. */
  most: unknown;
}

/**
 * Parts what an untrusted project file sets into what may take effect and what may not.
 *
 * @param below what would apply without the project's file, whole
 */
export function filterProject(tree: Record<string, unknown>, below: unknown): { kept: Record<string, unknown>; ignored: IgnoredSetting[] } {
  const kept: Record<string, unknown> = {};
  const ignored: IgnoredSetting[] = [];
  for (const { name, path } of CONFIG_KEYS) {
    const value = valueAt(tree, path);
    if (value === undefined) continue;
    const rule = PROJECT_MAY[name];
    const most = valueAt(below, path);
    if (rule === "any" || (rule === "at_most" && amount(value) <= amount(most))) putAt(kept, path, value);
    else ignored.push({ key: name, most: rule === "at_most" ? most : undefined });
  }
  return { kept, ignored };
}

/** Null is no cap. */
function amount(value: unknown): number {
  return typeof value === "number" ? value : Infinity;
}

/** The one line that says what of a project's file has no effect, and what to do. */
export function describeIgnored(path: string, ignored: readonly IgnoredSetting[]): string {
  const names = ignored.map(({ key, most }) => (most === undefined ? key : `${key} (at most ${JSON.stringify(most)} without trust)`));
  return `Ignored in ${path}, which you have not trusted: ${names.join(", ")}. \`hypo trust\` lets it set them.`;
}
