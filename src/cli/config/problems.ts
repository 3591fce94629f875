import type { z } from "zod";
import { Config } from "../../domain/config.ts";
import { HypoError } from "../../domain/errors.ts";
import { nearest } from "../nearest.ts";
import { CONFIG_KEYS } from "./keys.ts";

/** Says where in a layer of the configuration a path of keys stands: `/p/.hypo/config.yaml, line 3`. */
export type Locate = (path: readonly string[]) => string;

/**
 * Checks one layer (a file, the environment, the flags) by itself, so that what is wrong names its place.
 *
 * @throws HypoError `config_invalid`
 */
export function checkLayer(tree: unknown, locate: Locate): void {
  const result = Config.safeParse(tree);
  const issue = result.error?.issues[0];
  if (issue) throw describeIssue(issue, locate);
}

function describeIssue(issue: z.core.$ZodIssue, locate: Locate): HypoError {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") return unknownKey([...path, issue.keys[0] ?? ""], locate);
  const key = CONFIG_KEYS.find((each) => each.name === settingOf(path));
  const where = locate(path);
  const name = path.length === 0 ? "the configuration" : path.join(".");
  return new HypoError("config_invalid", `${where}: ${name} is not allowed: ${issue.message}.`, {
    hint: key ? `${key.name} takes: ${key.takes}.` : `\`hypo config list\` shows the keys.`,
  });
}

function unknownKey(path: readonly string[], locate: Locate): HypoError {
  const name = path.join(".");
  const close = nearestKey(name);
  return new HypoError("config_invalid", `${locate(path)}: there is no setting ${name}.`, {
    hint: close === undefined ? "`hypo config list` shows the keys." : `Did you mean ${close}?`,
  });
}

/** The key meant by a misspelt one, or by one put in the wrong section. */
export function nearestKey(name: string): string | undefined {
  const names = CONFIG_KEYS.map((key) => key.name);
  const sections = new Set(names.flatMap((each) => (each.includes(".") ? [each.slice(0, each.lastIndexOf("."))] : [])));
  const last = name.split(".").at(-1) ?? name;
  return nearest(name, [...names, ...sections]) ?? names.find((each) => each.split(".").at(-1) === last);
}

/** A path without the index of a list's item. */
function settingOf(path: readonly string[]): string {
  return path.filter((part) => !/^\d+$/.test(part)).join(".");
}
