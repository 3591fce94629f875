import { describe, expect, it } from "vitest";
import { examineBrowser, examineFirecrawl, examineSearxng } from "../../../src/gateway/index.ts";
import { redirect, reply, serve, type Handler } from "./support/serve.ts";

const json = (value: unknown, status = 200): Handler => reply(JSON.stringify(value), { "content-type": "application/json" }, status);
const never = new AbortController().signal;

const found = { results: [{ url: "https://example.org/", title: "Example" }] };

describe("looking at the person's SearXNG", () => {
  const examine = async (handler: Handler): Promise<string[]> =>
    examineSearxng((await serve({ "/search": handler })).origin, () => new Date(), never);

  it("is satisfied by JSON, and passes on which engines did not respond", async () => {
    expect(await examine(json(found))).toEqual([]);
    expect(await examine(json({ ...found, unresponsive_engines: [["brave", "timeout"]] }))).toEqual([
      "SearXNG: the engine brave did not respond (timeout).",
    ]);
  });

  it.each([
    ["JSON is not switched on", reply("no", {}, 403), "search.formats"],
    ["its limiter refuses", reply("no", {}, 429), "limiter"],
    ["it redirects", redirect("https://elsewhere.example/"), "final address"],
  ])("says what to do where %s", async (_what, handler, hint) => {
    await expect(examine(handler)).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
  });

  it("says so where nobody listens", async () => {
    await expect(examineSearxng("http://127.0.0.1:9", () => new Date(), never)).rejects.toMatchObject({ code: "network_error" });
  });
});

describe("looking at Firecrawl and the browser adapter", () => {
  it("is satisfied by their refusal of an empty request, so that nothing is fetched", async () => {
    const site = await serve({
      "/v2/scrape": json({ success: false, error: "Bad Request" }, 400),
      "/browse": json({ error: "no url" }, 400),
    });
    await examineFirecrawl(site.origin, never);
    await examineBrowser(site.origin, never);
    expect(site.asked).toEqual(["/v2/scrape", "/browse"]);
  });

  it.each([
    ["another program answers", reply("<h1>Hello</h1>")],
    ["there is no such path", json({ error: "not found" }, 404)],
    ["a key is asked for", json({ success: false, error: "Unauthorized" }, 401)],
    ["it is broken", json({ success: false }, 500)],
  ])("is not where %s", async (_what, handler) => {
    const { origin } = await serve({ "*": handler });
    await expect(examineFirecrawl(origin, never)).rejects.toMatchObject({
      code: "http_error",
      hint: expect.stringContaining("firecrawl_url"),
    });
  });

  it("takes no web page for a browser adapter", async () => {
    for (const handler of [reply("<h1>Hello</h1>"), json({ error: "not found" }, 404), json({ html: "" })]) {
      const { origin } = await serve({ "*": handler });
      await expect(examineBrowser(origin, never)).rejects.toMatchObject({ hint: expect.stringContaining("browser_url") });
    }
  });
});
