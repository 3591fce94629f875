import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll } from "vitest";
import { Config } from "../../../../src/domain/config.ts";
import type { Clock } from "../../../../src/domain/ports.ts";
import {
  createGateway,
  openSourceStore,
  type ClosableGateway,
  type GatewayOptions,
  type WritableSourceStore,
} from "../../../../src/gateway/index.ts";
import { createTextDeriver, type TextDeriver } from "../../../../src/gateway/extract/derive-text.ts";
import { closeAfterwards } from "./serve.ts";

export const signal = new AbortController().signal;

export const realClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: (ms, abort) => sleep(ms, undefined, abort === undefined ? {} : { signal: abort }),
};

export async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "hypo-gateway-"));
  closeAfterwards(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Worker threads for all tests of a file: what they make depends on the job alone, and starting them takes time. */
const deriver = createTextDeriver();
afterAll(() => deriver.close());
const shared: TextDeriver = { derive: (job, abort) => deriver.derive(job, abort), close: async (): Promise<void> => undefined };

export interface OpenGateway {
  gateway: ClosableGateway;
  store: WritableSourceStore;
  folder: string;
}

/** A gateway with a store in a temporary folder; `config` is written as in config.yaml. */
export async function openGateway(config: object = {}, options: Partial<GatewayOptions> = {}): Promise<OpenGateway> {
  const folder = await makeTemporaryFolder();
  const store = openSourceStore(join(folder, "sources"), { deriver: shared });
  const gateway = createGateway({ config: Config.parse(config), store, clock: realClock, version: "0.0.0", crawlDelayMs: 0, ...options });
  closeAfterwards(() => gateway.close());
  return { gateway, store, folder };
}

/** A page long enough to have a main content. */
export function article(title: string, body: string, head = ""): string {
  const filler = "<p>A paragraph that is long enough, with commas, to be taken for the main content of this page.</p>".repeat(6);
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><nav><a href="/menu">Menu</a></nav><article><h1>${title}</h1>${body}${filler}</article><footer>Imprint</footer></body></html>`;
}
