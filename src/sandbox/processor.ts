import { readFile } from "node:fs/promises";
import { sha256 } from "../domain/hash.ts";

/** Model and feature flags of this machine's processor: without equal flags the last bits of floating-point results may differ. */
export async function describeProcessor(): Promise<Record<string, string | string[]>> {
  const text = await readFile("/proc/cpuinfo", "utf8").catch(() => "");
  const field = (name: RegExp): string | undefined => name.exec(text)?.[1]?.trim();
  const flags = field(/^(?:flags|Features)\s*:\s*(.*)$/m);
  const sorted = flags?.split(/\s+/).toSorted();
  return {
    cpu_model: field(/^model name\s*:\s*(.*)$/m) ?? "unknown",
    cpu_flags_sha256: sorted === undefined ? "unknown" : sha256(sorted.join(" ")),
    ...(sorted === undefined ? {} : { cpu_flags: sorted }),
  };
}
