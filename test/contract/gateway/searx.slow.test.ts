import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { makeTemporaryFolder, openGateway, signal } from "./support/gateway.ts";
import { ARXIV } from "./support/recorded.ts";
import { closeAfterwards, reply, serve } from "./support/serve.ts";

/** What `scripts/ensure-searx` installs: Debian's searx 1.1.0, the parent of SearXNG, with its own default settings. */
const PROGRAM = "/usr/bin/searx-run";
const SETTINGS = "/usr/share/doc/searx/examples/settings.yml";

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const ENGINE = { name: "fixture", shortcut: "fx", categories: "general", disabled: false, enable_http: true, timeout: 10 };

/** Takes results out of any JSON. */
function jsonEngine(origin: string): object {
  const queries = { results_query: "results", url_query: "url", title_query: "title", content_query: "content" };
  return { ...ENGINE, ...queries, engine: "json_engine", search_url: `${origin}/?q={query}` };
}

/** Asks another instance, and hands on what it was asked for. */
function instanceEngine(origin: string): object {
  const able = { paging: true, time_range_support: true, language_support: true };
  return { ...ENGINE, ...able, engine: "searx_engine", instance_urls: [`${origin}/`] };
}

/** searx's own engine for arXiv, whose results have dates. */
function atomEngine(origin: string): object {
  return { ...ENGINE, engine: "arxiv", base_url: `${origin}/?q={query}&start={offset}&max_results={number_of_results}` };
}

/** A real searx whose only engine asks a server on loopback. */
async function startSearx(engine: object): Promise<string> {
  const port = await findFreePort();
  const settings = parse(await readFile(SETTINGS, "utf8")) as Record<string, object>;
  const server = { ...settings["server"], port, bind_address: "127.0.0.1", secret_key: "of a test" };
  const path = join(await makeTemporaryFolder(), "settings.yml");
  await writeFile(path, stringify({ ...settings, server, engines: [engine] }));
  const searx = spawn(PROGRAM, [], { env: { PATH: process.env["PATH"], SEARX_SETTINGS_PATH: path, NO_PROXY: "*" }, stdio: "ignore" });
  closeAfterwards(async () => void searx.kill("SIGKILL"));
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await fetch(`${origin}/config`).catch(() => undefined);
    if (answer?.ok === true) return origin;
    await sleep(200);
  }
  throw new Error("searx did not start within a minute");
}

describe.skipIf(!existsSync(PROGRAM) || !existsSync(SETTINGS))("a real searx (scripts/ensure-searx)", () => {
  const results = [
    { url: "https://e.org/a?utm_source=x", title: "Counting", content: "How to <b>count</b>" },
    { url: "https://doi.org/10.1000/xyz", title: "On counting", content: "A paper" },
  ];

  it("is searched over its JSON API", async () => {
    const engine = await serve({ "/": reply(JSON.stringify({ results }), { "content-type": "application/json" }) });
    const { gateway } = await openGateway({ search: { searxng_url: await startSearx(jsonEngine(engine.origin)) } });
    const { hits, asked } = await gateway.search({ query: "counting things", kind: "web", limit: 5, signal });
    expect(asked).toEqual([{ provider: "searxng", ok: true, hits: 2 }]);
    expect(hits.map(({ title }) => title)).toEqual(["Counting", "On counting"]);
    expect(hits[1]).toMatchObject({ doi: "10.1000/xyz", provider: "searxng" });
    expect(engine.asked.some((path) => path.includes("counting"))).toBe(true);
  });

  it("names its engines that do not respond", async () => {
    const engine = await serve({ "/": reply("", {}, 500) });
    const url = await startSearx(jsonEngine(engine.origin));
    const { gateway } = await openGateway({ search: { searxng_url: url, providers: ["searxng"] } });
    const { hits, warnings } = await gateway.search({ query: "counting", kind: "web", limit: 5, signal });
    expect(hits).toEqual([]);
    expect(warnings.join()).toContain("the engine fixture did not respond");
  });

  it("hands language, page and time range on to its engines, and what papers have back", async () => {
    const bodies: string[] = [];
    const paper = { authors: ["Ada Lovelace"], doi: "10.1000/xyz", journal: "Annals", pdf_url: "https://e.org/p.pdf" };
    const found = [{ url: "https://e.org/p", title: "Counting", content: "", ...paper }];
    const upstream = await serve({
      "/": (request, response) => {
        request.on("data", (chunk) => bodies.push(String(chunk)));
        request.on("end", () =>
          response.end(JSON.stringify({ results: found, answers: [], infoboxes: [], suggestions: [], number_of_results: 1 })),
        );
      },
    });
    const { gateway } = await openGateway({ search: { searxng_url: await startSearx(instanceEngine(upstream.origin)) } });
    const narrow = { page: 2, language: "de", time_range: "month" } as const;
    const { hits, asked } = await gateway.search({ query: "counting", kind: "web", limit: 5, signal, ...narrow });
    expect(Object.fromEntries(new URLSearchParams(bodies[0]))).toMatchObject({
      q: "counting",
      pageno: "2",
      language: "de",
      time_range: "month",
    });
    expect(hits[0]).toMatchObject(paper);
    expect(asked).toEqual([{ provider: "searxng", ok: true, hits: 1 }]);
    expect((await gateway.search({ query: "counting", kind: "web", limit: 5, signal, language: "xxxx" })).asked[0]?.note).toContain(
      'Invalid value "xxxx" for parameter language',
    );
  });

  it("writes dates for people, and hypo finds the day nevertheless", async () => {
    const { origin } = await serve({ "/": reply(ARXIV) });
    const { gateway } = await openGateway({ search: { searxng_url: await startSearx(atomEngine(origin)) } });
    const { hits } = await gateway.search({ query: "counting", kind: "web", limit: 5, signal });
    expect(hits).toEqual([expect.objectContaining({ title: expect.stringContaining("Counting"), published: "2021-01-01" })]);
  });

  it("says what it is", () => {
    expect(execFileSync("dpkg-query", ["-W", "-f", "${Version}", "searx"], { encoding: "utf8" })).toMatch(/^1\.1\.0/);
  });
});
