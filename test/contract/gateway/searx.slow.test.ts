import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { makeTemporaryFolder, openGateway, signal } from "./support/gateway.ts";
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

/** A real searx whose only engine asks a server on loopback. */
async function startSearx(engineUrl: string, formats: string[]): Promise<string> {
  const port = await findFreePort();
  const settings = parse(await readFile(SETTINGS, "utf8")) as Record<string, object>;
  const engine = {
    name: "fixture",
    engine: "json_engine",
    shortcut: "fx",
    categories: "general",
    search_url: `${engineUrl}?q={query}`,
    results_query: "results",
    url_query: "url",
    title_query: "title",
    content_query: "content",
    disabled: false,
    enable_http: true,
    timeout: 10,
  };
  const server = { ...settings["server"], port, bind_address: "127.0.0.1", secret_key: "of a test" };
  const path = join(await makeTemporaryFolder(), "settings.yml");
  await writeFile(path, stringify({ ...settings, server, search: { ...settings["search"], formats }, engines: [engine] }));
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
    const { gateway } = await openGateway({ search: { searxng_url: await startSearx(`${engine.origin}/`, ["html", "json"]) } });
    const { hits, asked } = await gateway.search({ query: "counting things", kind: "web", limit: 5, signal });
    expect(asked).toEqual([{ provider: "searxng", ok: true, hits: 2 }]);
    expect(hits.map(({ title }) => title)).toEqual(["Counting", "On counting"]);
    expect(hits[1]).toMatchObject({ doi: "10.1000/xyz", provider: "searxng" });
    expect(engine.asked.some((path) => path.includes("counting"))).toBe(true);
  });

  it("names its engines that do not respond", async () => {
    const engine = await serve({ "/": reply("", {}, 500) });
    const url = await startSearx(`${engine.origin}/`, ["html", "json"]);
    const { gateway } = await openGateway({ search: { searxng_url: url, providers: ["searxng"] } });
    const { hits, warnings } = await gateway.search({ query: "counting", kind: "web", limit: 5, signal });
    expect(hits).toEqual([]);
    expect(warnings.join()).toContain("the engine fixture did not respond");
  });

  it("says what it is", () => {
    expect(execFileSync("dpkg-query", ["-W", "-f", "${Version}", "searx"], { encoding: "utf8" })).toMatch(/^1\.1\.0/);
  });
});
