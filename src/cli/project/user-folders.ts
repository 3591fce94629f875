import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** Where the person's configuration of hypo is; undefined where neither XDG_CONFIG_HOME nor HOME says. */
export function userConfigFolder(env: Env): string | undefined {
  return hypoFolder(env, "XDG_CONFIG_HOME", ".config");
}

/** Where hypo keeps what it must remember of the person's decisions; undefined where neither XDG_STATE_HOME nor HOME says. */
export function userStateFolder(env: Env): string | undefined {
  return hypoFolder(env, "XDG_STATE_HOME", join(".local", "state"));
}

function hypoFolder(env: Env, variable: string, below: string): string | undefined {
  const named = env[variable];
  // The XDG specification has relative paths ignored.
  if (named?.startsWith("/") === true) return join(named, "hypo");
  const home = env["HOME"];
  return home ? join(home, below, "hypo") : undefined;
}
