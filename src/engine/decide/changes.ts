import type { Config } from "../../domain/config.ts";
import { canonicalJson } from "../../domain/hash.ts";

/** What a run's results depend on besides its question, as far as the journal tells. */
export interface RunBasis {
  hypo: string;
  pi: string;
  prompts: string;
  /** Undefined in journals that do not tell. */
  config: Record<string, unknown> | undefined;
}

/**
 * *compatible*: nothing that was recorded means something else now. *stale*: what is recorded was made under other
 * instructions or settings than what follows would be. *broken*: what is recorded cannot be read by this program.
 */
export type ChangeClass = "compatible" | "stale" | "broken";

export interface Change {
  what: string;
  from: unknown;
  to: unknown;
  class: ChangeClass;
}

/** Settings that decide what is read and how tests are run: results from before and after them do not compare. */
const STALE_SETTINGS = /^(experiment\.(image|images|runtime)|search\.providers|gateway\.allow_hosts|read\..*)$/;
/** Fixed for the run when it starts, or raised by options of their own. */
const PINNED = new Set(["limits", "budget", "model", "subagent_model", "thinking"]);
const SECRET = /key$/;

/** The settings that a run records: all that are not pinned, by dotted key. Of a secret only whether there is one. */
export function recordedSettings(config: Config): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [section, value] of Object.entries(config)) if (!PINNED.has(section)) flatten(section, value, settings);
  return settings;
}

function flatten(key: string, value: unknown, into: Record<string, unknown>): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    for (const [name, member] of Object.entries(value)) flatten(`${key}.${name}`, member, into);
  } else if (value !== undefined) into[key] = SECRET.test(key) ? "set" : value;
}

/** What differs between what a run was made on and what it would go on with. */
export function findChanges(from: RunBasis, to: RunBasis): Change[] {
  const changes: Change[] = [];
  if (from.hypo !== to.hypo) changes.push({ what: "hypo", from: from.hypo, to: to.hypo, class: "compatible" });
  if (from.pi !== to.pi) {
    // Recorded answers are Pi's own messages, and a major version may change their form.
    const isReadable = majorOf(from.pi) === majorOf(to.pi);
    changes.push({ what: "pi", from: from.pi, to: to.pi, class: isReadable ? "compatible" : "broken" });
  }
  if (from.prompts !== to.prompts) changes.push({ what: "prompts", from: from.prompts, to: to.prompts, class: "stale" });
  return [...changes, ...changedSettings(from.config, to.config)];
}

function changedSettings(from: RunBasis["config"], to: RunBasis["config"]): Change[] {
  if (!from || !to) return [];
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  return keys
    .filter((key) => canonicalJson(from[key] ?? null) !== canonicalJson(to[key] ?? null))
    .map((key) => ({
      what: key,
      from: from[key] ?? null,
      to: to[key] ?? null,
      class: STALE_SETTINGS.test(key) ? "stale" : "compatible",
    }));
}

/** The worst class among changes. */
export function classOf(changes: readonly Change[]): ChangeClass {
  if (changes.some((change) => change.class === "broken")) return "broken";
  return changes.some((change) => change.class === "stale") ? "stale" : "compatible";
}

/** A change as a line for people. */
export function describeChange({ what, from, to, class: rated }: Change): string {
  return `${what}: ${brief(from)} -> ${brief(to)} (${rated})`;
}

function brief(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 12)}…` : text;
}

function majorOf(version: string): string {
  return version.split(".")[0] ?? "";
}
