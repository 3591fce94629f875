import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** Where the person's configuration of hypo is; undefined where neither XDG_CONFIG_HOME nor HOME names an absolute path. */
export function userConfigFolder(env: Env): string | undefined {
  return hypoFolder(env, "XDG_CONFIG_HOME", ".config");
}

/** Where hypo keeps what it must remember of the person's decisions; undefined where neither XDG_STATE_HOME nor HOME does. */
export function userStateFolder(env: Env): string | undefined {
  return hypoFolder(env, "XDG_STATE_HOME", join(".local", "state"));
}

function hypoFolder(env: Env, variable: string, below: string): string | undefined {
  // The XDG specification has relative paths ignored: they would name another folder wherever hypo is called.
  const [named, home] = [env[variable], env["HOME"]].map((path) => (path?.startsWith("/") === true ? path : undefined));
  if (named !== undefined) return join(named, "hypo");
  return home === undefined ? undefined : join(home, below, "hypo");
}
