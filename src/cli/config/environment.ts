import { HypoError } from "../../domain/errors.ts";
import { nearest } from "../nearest.ts";
import { CONFIG_KEYS, putAt } from "./keys.ts";
import { parseValue } from "./parse-value.ts";
import { checkLayer } from "./problems.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What HYPO_* variables set. An empty variable sets nothing.
 *
 * @throws HypoError `config_invalid` for a value that is not allowed, and for a variable whose name misses a key by a
 * letter or two: a cap that is silently not applied costs money.
 */
export function readEnvironment(env: Env): Record<string, unknown> {
  refuseMisspelt(env);
  const tree: Record<string, unknown> = {};
  for (const key of CONFIG_KEYS) {
    const text = env[key.variable];
    if (text !== undefined && text !== "") putAt(tree, key.path, parseValue(key, text, key.variable));
  }
  checkLayer(tree, (path) => CONFIG_KEYS.find((key) => path.join(".").startsWith(key.name))?.variable ?? "the environment");
  return tree;
}

function refuseMisspelt(env: Env): void {
  const known = CONFIG_KEYS.map((key) => key.variable);
  for (const name of Object.keys(env)) {
    if (!name.startsWith("HYPO_") || known.includes(name)) continue;
    const close = nearest(
      name.slice("HYPO_".length),
      known.map((each) => each.slice("HYPO_".length)),
    );
    if (close !== undefined) {
      throw new HypoError("config_invalid", `The environment sets ${name}, which hypo does not know.`, {
        hint: `Did you mean HYPO_${close}?`,
      });
    }
  }
}
