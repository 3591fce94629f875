import { readFile } from "node:fs/promises";
import { sha256 } from "../domain/hash.ts";

export interface SeccompProfile {
  /** JSON text: the engine takes the profile itself, not a path. */
  text: string;
  sha256: string;
}

/** The system calls that an experiment may use: `assets/seccomp.json`. */
export async function loadSeccompProfile(): Promise<SeccompProfile> {
  const profile: unknown = JSON.parse(await readFile(new URL("./assets/seccomp.json", import.meta.url), "utf8"));
  const text = JSON.stringify(profile);
  return { text, sha256: sha256(text) };
}
