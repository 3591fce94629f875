import type { SearchHit, SearchRequest } from "../../domain/ports.ts";

/** A wish that narrows a search down. */
export type Narrowing = "language" | "time_range";

const WISHES = { language: "language", time_range: "time range" } as const;

/** The wishes of a request that a provider does not heed, in words; undefined where it heeds them all. */
export function nameUnheeded(request: SearchRequest, narrows: readonly Narrowing[]): string | undefined {
  const unheeded = (["language", "time_range"] as const).filter((wish) => request[wish] !== undefined && !narrows.includes(wish));
  return unheeded.length === 0 ? undefined : `not narrowed by ${unheeded.map((wish) => WISHES[wish]).join(" and ")}`;
}

/** The first day of the request's time range, which ends `now`, as YYYY-MM-DD in UTC; undefined where it has none. */
export function firstDayOf({ time_range: range }: SearchRequest, now: Date): string | undefined {
  if (range === undefined) return undefined;
  const first = new Date(now);
  if (range === "day") first.setUTCDate(first.getUTCDate() - 1);
  else if (range === "month") first.setUTCDate(first.getUTCDate() - 31);
  else first.setUTCFullYear(first.getUTCFullYear() - 1);
  return dayOf(first);
}

/** A time as YYYY-MM-DD in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** The language of a request without its region, in lower case: `pt` of `pt-BR`. */
export function primaryLanguageOf({ language }: SearchRequest): string | undefined {
  return language?.split("-", 1)[0]?.toLowerCase();
}

/** How many hits come before the page that is asked for. */
export function offsetOf({ page = 1, limit }: SearchRequest): number {
  return (page - 1) * limit;
}

/** The page that is asked for, of hits from the first one on: for services that cannot start in the middle. */
export function cutPage(hits: SearchHit[], request: SearchRequest): SearchHit[] {
  return hits.slice(offsetOf(request), offsetOf(request) + request.limit);
}
