import { resolve } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import type { SourceRecord } from "../../domain/source.ts";
import type { Io } from "../io.ts";
import type { Reading } from "../stores.ts";

/** One document that is to be stored as a source. */
export interface Addition {
  from: string;
  /** False for what lies in a folder that was named. */
  isNamed: boolean;
  add: () => Promise<SourceRecord>;
}

/**
 * What files, folders and web addresses come to, document by document; nothing is stored before `add`.
 *
 * @throws HypoError `not_found` where nothing is there, `bad_url` for an address that is not read.
 */
export async function listAdditions(
  what: readonly string[],
  maxBytes: number,
  io: Pick<Io, "cwd" | "now">,
  { sources, gateway }: Reading,
): Promise<Addition[]> {
  const { listFilesToAdd, readFileToAdd } = await import("../../gateway/index.ts");
  const { signal } = new AbortController();
  const additions: Addition[] = [];
  // What a person adds is found by its text from then on, as what something cites is.
  const adding = (store: () => Promise<SourceRecord>) => async (): Promise<SourceRecord> => {
    const source = await store();
    if (source.text !== undefined) await sources.keepText(source.id);
    return source;
  };
  for (const each of what) {
    if (isWebAddress(each)) {
      additions.push({ from: each, isNamed: true, add: adding(async () => (await gateway.read(each, { signal })).source) });
      continue;
    }
    refuseOtherAddress(each);
    const named = resolve(io.cwd, each);
    for (const path of await listFilesToAdd(named)) {
      const add = adding(async () => (await sources.keep(await readFileToAdd(path, maxBytes, io.now()), signal)).source);
      additions.push({ from: path, isNamed: path === named, add });
    }
  }
  return additions;
}

/**
 * To be asked of what is no web address, and would be taken for a path.
 *
 * @throws HypoError `bad_url` for an address that is not read
 */
export function refuseOtherAddress(given: string): void {
  const scheme = /^[a-z][a-z0-9+.-]+:\/\//i.exec(given)?.[0];
  if (scheme === undefined) return;
  throw new HypoError("bad_url", `${given} is not read: of addresses only those with http:// and https:// are.`, {
    hint: "Give files and folders by their paths.",
  });
}

/** Whether what a person names is read from the web, and is no path. */
export function isWebAddress(given: string): boolean {
  return /^https?:\/\//i.test(given);
}
