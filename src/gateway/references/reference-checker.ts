import type { Config } from "../../domain/config.ts";
import { HypoError } from "../../domain/errors.ts";
import type { Clock } from "../../domain/ports.ts";
import type { ReferenceCheck } from "../../domain/reference-check.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { createGuardedClient } from "../guarded-client.ts";
import type { Resolve } from "../pinned-connector.ts";
import { PoliteQueue, type Pace } from "../politeness.ts";
import { createApiClient } from "../search/api-client.ts";
import { PUBLIC_ENDPOINTS } from "../search/providers.ts";
import { compareWork } from "./compare-work.ts";
import type { KnownWork } from "./known-work.ts";
import { askArxiv, askCrossref, askOpenAlex, type AskService, type ReferenceEndpoints } from "./services.ts";

/** One request at a time, and no faster than arXiv and Crossref ask for. */
const PACES: Record<keyof ReferenceEndpoints, Pace> = {
  crossref: { concurrency: 1, intervalMs: 350 },
  openalex: { concurrency: 1, intervalMs: 200 },
  arxiv: { concurrency: 1, intervalMs: 3000 },
};

export interface ReferenceCheckerOptions {
  config: Pick<Config, "search" | "gateway">;
  clock: Clock;
  /** hypo's version, for the User-Agent. */
  version: string;
  resolve?: Resolve | undefined;
  /** Other addresses of the services. */
  endpoints?: Partial<ReferenceEndpoints> | undefined;
}

/** Asks scholarly services about sources that carry an identifier. */
export interface ReferenceChecker {
  /** Whether the source's DOI or arXiv id exists, matches its metadata, and stands unretracted. Services that fail are named. */
  check(source: SourceRecord, signal: AbortSignal): Promise<ReferenceCheck>;
  close(): Promise<void>;
}

/** Cheap to make; everything is fetched through the address policy. */
export function createReferenceChecker(options: ReferenceCheckerOptions): ReferenceChecker {
  const { config, clock, version, resolve } = options;
  const { max_bytes: maxBytes, timeouts } = config.gateway;
  const client = createGuardedClient({
    userAgent: `hypo/${version}${config.search.contact === undefined ? "" : ` (+${config.search.contact.replace(/[^\x20-\x7e]/g, "?")})`}`,
    allowHosts: config.gateway.allow_hosts,
    limits: {
      maxBytes,
      firstByteMs: timeouts.first_byte_seconds * 1000,
      totalMs: timeouts.total_seconds * 1000,
      idleMs: timeouts.idle_seconds * 1000,
    },
    queue: new PoliteQueue(clock),
    resolve,
  });
  const api = createApiClient(client, () => clock.now());
  const at = { ...PUBLIC_ENDPOINTS, ...options.endpoints };
  const queue = new PoliteQueue(clock);
  const paced =
    (service: keyof ReferenceEndpoints, ask: AskService): AskService =>
    (id, signal) =>
      queue.run(service, PACES[service], signal, () => ask(id, signal));
  const services = {
    crossref: paced("crossref", askCrossref(api, at.crossref)),
    openalex: paced("openalex", askOpenAlex(api, at.openalex, config.search.openalex_key)),
    arxiv: paced("arxiv", askArxiv(api, at.arxiv)),
  };
  return {
    async check(source, signal) {
      const { doi, arxiv } = source.bibliography;
      const asks = [
        ...(doi === undefined ? [] : [services.crossref(doi, signal), services.openalex(doi, signal)]),
        ...(arxiv === undefined ? [] : [services.arxiv(arxiv, signal)]),
      ];
      return judge(source, await Promise.all(asks.map(settle)), clock.now());
    },
    close: () => client.close(),
  };
}

type Answer = { work: KnownWork | undefined } | { failure: string };

async function settle(ask: Promise<KnownWork | undefined>): Promise<Answer> {
  try {
    return { work: await ask };
  } catch (error) {
    // Remarks stand in the middle of sentences.
    if (error instanceof HypoError) return { failure: error.message.replace(/\.+$/, "") };
    throw error;
  }
}

function judge(source: SourceRecord, answers: Answer[], at: Date): ReferenceCheck {
  const works = answers.flatMap((answer) => ("work" in answer && answer.work !== undefined ? [answer.work] : []));
  const failures = answers.flatMap((answer) => ("failure" in answer ? [answer.failure] : []));
  const differences = works.flatMap((work) => compareWork(source.bibliography, work));
  return {
    source: source.id,
    checked_at: at.toISOString(),
    status: statusOf(answers.length, works.length, failures.length, differences.length),
    retracted: works.some(({ retracted }) => retracted),
    remarks: [...differences, ...failures],
  };
}

function statusOf(asked: number, known: number, failed: number, differences: number): ReferenceCheck["status"] {
  if (asked === 0) return "no_identifier";
  if (known > 0) return differences > 0 ? "differs" : "matches";
  return failed > 0 ? "unchecked" : "not_found";
}
