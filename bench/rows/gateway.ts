import { existsSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { makePages, servePages } from "../fixtures/page-site.ts";
import { contender, contenderFile } from "../harness/contender-file.ts";
import { measureNode } from "../harness/measure.ts";
import type { Bench, Measure, Row, Side } from "../harness/row.ts";

/** Two requests at once to a host are hypo's rule, so more at once need more hosts. */
const HOSTS = 8;
const AT_ONCE = 2 * HOSTS;

const perSecond: Measure = { what: "pages", unit: "per s", of: ({ figures }) => figures["perSecond"] };

export const gateway: Row = {
  name: "gateway",
  title: "Gateway: extraction and reading",
  caveat:
    "Extraction: word F1 against the main content that people marked on every third page of the development split of WCXB, and time from bytes. hypo " +
    "runs both libraries and chooses and joins; they give HTML and hypo Markdown, and making Markdown is not counted against them. Reading: " +
    `pages of 20 kB from ${HOSTS} loopback servers, ${AT_ONCE} at once. undici fetches and forgets; hypo checks addresses, extracts the text, looks ` +
    "for near duplicates, and has bytes, metadata and index on the disk before it answers.",
  async measure(bench) {
    await compareExtraction(bench);
    await compareReading(bench);
  },
};

async function compareExtraction(bench: Bench): Promise<void> {
  const folder = join(bench.env["HYPO_BENCH_DATA"] ?? "", "wcxb-dev");
  if (!existsSync(join(folder, "ground-truth.jsonl.gz"))) {
    return bench.skip("extraction", "HYPO_BENCH_DATA names no folder with wcxb-dev/ground-truth.jsonl.gz");
  }
  const step = bench.quick ? "60" : "3";
  const side = (name: string, extractor: string): Side => contender(name, "gateway-extract", [folder, extractor, step]);
  await bench.compare({
    hypo: side("hypo", "hypo"),
    others: [side("Readability alone", "readability"), side("Defuddle alone", "defuddle")],
    measures: [
      { what: "extraction, F1", unit: "score", of: ({ figures }) => figures["f1"] },
      { ...perSecond, what: "extraction, pages" },
    ],
  });
}

async function compareReading(bench: Bench): Promise<void> {
  const count = bench.quick ? 50 : 1000;
  const servers = await servePages(makePages(count), HOSTS);
  const args = [String(count), String(AT_ONCE), ...servers.map(({ origin }) => origin)];
  const hypo: Side = {
    name: "hypo",
    run: () => measureNode([contenderFile("gateway-read"), mkdtempSync(join(bench.folder, "sources-")), ...args]),
  };
  try {
    const others = [contender("undici", "gateway-undici", args)];
    await bench.compare({ hypo, others, measures: [{ ...perSecond, what: `reading ${count.toLocaleString("en-GB")} pages` }] });
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}
