import type { Retrieval } from "../../domain/source.ts";
import type { FetchedPage } from "./page-source.ts";

/**
 * Checks an address that another server is to ask for, as far as can be known before: the URL, and where its name leads
 * now. Resolves to the entry of gateway.allow_hosts that let it through, if one did.
 */
export type CheckAddress = (url: string) => Promise<string | undefined>;

/** Has a server of the operator's fetch a page. The address is checked before, and where it ended afterwards. */
export async function delegate(url: string, check: CheckAddress, fetch: () => Promise<FetchedPage>): Promise<FetchedPage> {
  const before = await check(url);
  const page = await fetch();
  const { final_url: final } = page.retrieval;
  const after = new URL(final).host === new URL(url).host ? before : await check(final);
  return { ...page, retrieval: nameAllowed(page.retrieval, [before, after]) };
}

/** A retrieval that names the entries of gateway.allow_hosts that let it through. */
export function nameAllowed(retrieval: Retrieval, entries: readonly (string | undefined)[]): Retrieval {
  const named = [...new Set(entries.filter((entry) => entry !== undefined))];
  return named.length === 0 ? retrieval : { ...retrieval, allowed_host: named.join(", ") };
}
