import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { saysMissing } from "../../../src/gateway/read/soft-404.ts";
import { article, openGateway, realClock, signal, type OpenGateway } from "./support/gateway.ts";
import { redirect, reply, serve, type Handler, type Site } from "./support/serve.ts";

const page = (title: string, ...links: string[]): Handler =>
  reply(article(title, "<p>Words, here.</p>").replace("</nav>", `${links.map((link) => `<a href="${link}">x</a>`).join("")}</nav>`));

const SITE: Record<string, Handler> = {
  "/": page("Home", "/a", "/b?utm_source=nav", "/a#part", "https://elsewhere.example/", "mailto:me@e.org", "/private/x"),
  "/a": page("A", "/", "/deep"),
  "/b": page("B"),
  "/deep": page("Deep", "/deeper"),
  "/deeper": page("Deeper"),
  "/menu": reply("gone", {}, 404),
  "/robots.txt": reply("User-agent: hypo\nDisallow: /private/\n\nUser-agent: *\nDisallow: /", { "content-type": "text/plain" }),
};

async function crawl(handlers: Record<string, Handler>, bounds: { pages?: number; depth?: number; path?: string } = {}) {
  const site = await serve(handlers);
  const { gateway } = await openGateway({ gateway: { allow_hosts: [site.host] } });
  const url = `${site.origin}${bounds.path ?? "/"}`;
  const answer = await gateway.crawl({ url, pages: bounds.pages ?? 10, depth: bounds.depth ?? 3, signal });
  const titles = answer.documents.map(({ source }) => source.bibliography.title);
  return { site, titles, skipped: answer.skipped.map(({ url, reason }) => `${url.replace(site.origin, "")}: ${reason}`) };
}

describe("a crawl", () => {
  it("reads the pages of one host breadth first, each once, as robots.txt allows", async () => {
    const { site, titles, skipped } = await crawl(SITE);
    expect(titles).toEqual(["Home", "A", "B", "Deep", "Deeper"]);
    const asked = site.asked.filter((path) => !/^\/([\da-f-]{36}|sitemap\.xml)$/.test(path));
    expect(asked).toEqual(["/robots.txt", "/", "/menu", "/a", "/b?utm_source=nav", "/deep", "/deeper"]);
    expect(site.asked).toHaveLength(asked.length + 2);
    expect(skipped).toContain("/private/x: robots.txt disallows it");
    expect(skipped.join()).toContain("/menu: ");
  });

  it("stops at its depth", async () => expect((await crawl(SITE, { depth: 1 })).titles).toEqual(["Home", "A", "B"]));

  it("stops at its number of pages, and says what it left out", async () => {
    const { titles, skipped } = await crawl(SITE, { pages: 2 });
    expect(titles).toEqual(["Home", "A"]);
    expect(skipped.join()).toContain("the page limit of the crawl was reached");
  });

  it("does not follow a redirect off its host into the results", async () => {
    const other = await serve({ "/": page("Elsewhere") });
    const site = await serve({ "/": page("Home", "/out"), "/out": redirect(`${other.origin}/`), "/menu": page("Menu") });
    const { gateway } = await openGateway({ gateway: { allow_hosts: [site.host, other.host] } });
    const { documents, skipped } = await gateway.crawl({ url: `${site.origin}/`, pages: 5, depth: 1, signal });
    expect(documents.map(({ source }) => source.bibliography.title)).toEqual(["Home", "Menu"]);
    const out = `${site.origin}/out`;
    expect(skipped).toEqual([{ url: out, reason: `${out} redirects to another host, ${other.host}.` }]);
    expect(other.asked).toEqual([]);
  });

  it("says where its first page has gone", async () => {
    const other = await serve({ "/": page("Elsewhere") });
    const site = await serve({ "/": redirect(`${other.origin}/`) });
    const { gateway } = await openGateway({ gateway: { allow_hosts: [site.host, other.host] } });
    await expect(gateway.crawl({ url: `${site.origin}/`, pages: 5, depth: 1, signal })).rejects.toMatchObject({
      code: "refused",
      hint: expect.stringContaining(`${other.origin}/`),
    });
  });

  it("asks for nothing that robots.txt disallows, also where a page redirects there", async () => {
    const { site, titles, skipped } = await crawl({ ...SITE, "/a": redirect("/private/x"), "/private/x": page("Private") });
    expect(titles).toEqual(["Home", "B"]);
    expect(site.asked).not.toContain("/private/x");
    expect(skipped.join()).toContain("/a: The robots.txt of");
  });

  it.each([
    ["a missing", reply("", {}, 404)],
    ["a forbidden", reply("", {}, 403)],
  ])("may go everywhere with %s robots.txt", async (_, robots) => {
    expect((await crawl({ ...SITE, "/robots.txt": robots })).titles).toContain("Home");
  });

  it.each([
    ["a robots.txt with a server error allows nothing", reply("", {}, 503)],
    ["a robots.txt asked too often allows nothing", reply("", {}, 429)],
    ["a robots.txt that closes the site closes it", reply("User-agent: *\nDisallow: /")],
  ])("%s", async (_, robots) => {
    await expect(crawl({ ...SITE, "/robots.txt": robots })).rejects.toMatchObject({ code: "robots_disallowed" });
  });

  it("ends with the reason where its first page cannot be read", async () => {
    await expect(crawl(SITE, { path: "/nowhere" })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a crawl of a site with sitemaps", () => {
  const robots =
    (site: string): Handler =>
    (request, response) => {
      reply(`User-agent: *\nDisallow: /closed\nSitemap: http://${request.headers.host}${site}`)(request, response);
    };
  const map =
    (...paths: string[]): Handler =>
    (request, response) => {
      const urls = paths.map((path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`).join("");
      response.writeHead(200, { "content-type": "application/xml" }).end(`<?xml version="1.0"?><urlset>${urls}</urlset>`);
    };

  it("reads what no page links to", async () => {
    const { titles, skipped } = await crawl({
      ...SITE,
      "/": page("Home"),
      "/robots.txt": robots("/index.xml"),
      "/index.xml": (request, response) => {
        const index = `<sitemapindex><sitemap><loc>http://${request.headers.host}/pages.xml</loc></sitemap></sitemapindex>`;
        response.end(gzipSync(index));
      },
      "/pages.xml": map("/a", "/b?x=1&amp;y=2", "/closed/c"),
    });
    expect(titles).toEqual(expect.arrayContaining(["Home", "A", "B"]));
    expect(skipped).toContain("/closed/c: robots.txt disallows it");
  });

  it.each([
    ["of another host", map("//elsewhere.example/x")],
    ["broken", reply("<urlset><url><loc>")],
    ["missing", reply("", {}, 404)],
    ["a bomb of entities", reply('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>')],
  ])("goes on where a sitemap is %s", async (_, sitemap) => {
    expect((await crawl({ "/": page("Home"), "/menu": page("Menu"), "/sitemap.xml": sitemap })).titles).toEqual(["Home", "Menu"]);
  });
});

describe("a crawl of a site that never says 404", () => {
  it("leaves out pages that are its answer to what does not exist", async () => {
    const sorry = (request: { url?: string | undefined }): string => article("Our shop", `<p>Nothing at ${request.url}, sorry.</p>`);
    const { titles, skipped } = await crawl({
      "/": page("Home", "/real", "/gone"),
      "/real": page("Real"),
      "/robots.txt": reply("", {}, 404),
      "*": (request, response) => reply(sorry(request))(request, response),
    });
    expect(titles).toEqual(["Home", "Real"]);
    expect(skipped).toContain("/gone: it does not exist, though the server says it does");
  });

  it("takes the page that it is led to for missing only where it asked for another", async () => {
    const { titles, skipped } = await crawl(
      {
        "/docs": page("Docs", "/", "/gone"),
        "/": page("Home"),
        "/robots.txt": reply("", {}, 404),
        "*": redirect("/"),
      },
      { path: "/docs" },
    );
    expect(titles).toEqual(["Docs", "Home"]);
    expect(skipped).toContain("/gone: it does not exist, though the server says it does");
  });

  it.each(["404", "Error 404", "Page not found - Shop", "404 Not Found", "Seite nicht gefunden"])(
    "knows a page by its title: %s",
    (title) => expect(saysMissing(title, "Sorry.")).toBe(true),
  );
  it.each(["The story of HTTP 404 codes", "Peugeot 404", "Lost and not found again"])("knows that a page is one: %s", (title) =>
    expect(saysMissing(title, "A long story. ".repeat(200))).toBe(false),
  );
});

describe("a crawl of a site that scripts fill", () => {
  const shell = reply(`<html><head><title>App</title></head><body><div id=root></div><script>${"x".repeat(60_000)}</script></body></html>`);
  const rendered = (title: string, url: string, statusCode = 200): object => ({
    rawHtml: article(title, "<p>Rendered.</p>"),
    metadata: { url, sourceURL: url, statusCode },
  });

  async function openRendered(
    job: (site: Site, path: string) => object,
  ): Promise<{ site: Site; firecrawl: Site; opened: OpenGateway; methods: string[] }> {
    const site = await serve({ "/": shell, "/robots.txt": reply("User-agent: *\nDisallow: /closed", { "content-type": "text/plain" }) });
    const methods: string[] = [];
    const firecrawl = await serve({
      "/v2/scrape": reply(JSON.stringify({ success: true, data: rendered("App", `${site.origin}/`) })),
      "/v2/crawl": reply(JSON.stringify({ success: true, id: "job-1" })),
      "/v2/crawl/job-1": (request, response) => {
        methods.push(request.method ?? "");
        response.end(JSON.stringify(job(site, request.url ?? "")));
      },
    });
    const clock = { ...realClock, sleep: (_: number, abort?: AbortSignal) => realClock.sleep(5, abort) };
    const config = { gateway: { allow_hosts: [site.host] }, read: { firecrawl_url: firecrawl.origin } };
    return { site, firecrawl, methods, opened: await openGateway(config, { clock }) };
  }

  it("is a job of Firecrawl, asked after until it is done, part by part", async () => {
    let polls = 0;
    const { site, firecrawl, opened } = await openRendered((site, path) => {
      if (path.endsWith("?skip=2")) return { status: "completed", data: [rendered("Two", `${site.origin}/two`)] };
      polls += 1;
      if (polls === 1) return { status: "scraping", data: [] };
      const data = [
        rendered("One", `${site.origin}/one`),
        rendered("Closed", `${site.origin}/closed/x`),
        rendered("Other", "https://other.example/"),
        rendered("Gone", `${site.origin}/gone`, 404),
      ];
      return { status: "completed", data, next: "http://169.254.169.254/v2/crawl/job-1?skip=2" };
    });
    const { documents, skipped } = await opened.gateway.crawl({ url: `${site.origin}/`, pages: 10, depth: 2, signal });
    expect(documents.map(({ source }) => source.bibliography.title)).toEqual(["One", "Two"]);
    expect(documents[0]?.source.retrievals[0]?.backend).toBe("firecrawl");
    expect(skipped.map(({ reason }) => reason)).toEqual([
      "robots.txt disallows it",
      "it is on another host",
      expect.stringContaining("does not exist"),
    ]);
    expect(firecrawl.asked.filter((path) => path.includes("skip"))).toEqual(["/v2/crawl/job-1?skip=2"]);
  });

  it("cancels the job when the caller stops", async () => {
    const stop = new AbortController();
    const { site, methods, opened } = await openRendered(() => {
      setTimeout(() => stop.abort(), 20);
      return { status: "scraping" };
    });
    await expect(opened.gateway.crawl({ url: `${site.origin}/`, pages: 10, depth: 2, signal: stop.signal })).rejects.toMatchObject({
      code: "refused",
    });
    expect(methods.at(-1)).toBe("DELETE");
  });

  it("says that the job failed", async () => {
    const { site, opened } = await openRendered(() => ({ status: "failed" }));
    await expect(opened.gateway.crawl({ url: `${site.origin}/`, pages: 10, depth: 2, signal })).rejects.toMatchObject({
      code: "http_error",
      message: expect.stringContaining("failed"),
    });
  });
});
