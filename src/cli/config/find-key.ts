import { HypoError } from "../../domain/errors.ts";
import { CONFIG_KEYS, type ConfigKey } from "./keys.ts";
import { nearestKey } from "./problems.ts";

/**
 * The setting that a person names.
 *
 * @throws HypoError `usage` with the nearest name, or with the settings of a section.
 */
export function findKey(name: string): ConfigKey {
  const key = CONFIG_KEYS.find((each) => each.name === name);
  if (key) return key;
  const inside = CONFIG_KEYS.filter((each) => each.name.startsWith(`${name}.`)).map((each) => each.name);
  if (inside.length > 0) {
    throw new HypoError("usage", `${name} is a section, not a setting.`, { hint: `It has: ${inside.join(", ")}.` });
  }
  const close = nearestKey(name);
  throw new HypoError("usage", `There is no setting ${JSON.stringify(name)}.`, {
    hint: close === undefined ? "`hypo config list` shows the keys." : `Did you mean ${close}?`,
  });
}
