import { describe, expect, it } from "vitest";
import { parseRobots } from "../../../src/gateway/read/robots.ts";
import { article, openGateway, signal } from "./support/gateway.ts";
import { redirect, reply, serve, type Handler } from "./support/serve.ts";

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
    expect(site.asked).toEqual(["/robots.txt", "/", "/menu", "/a", "/b?utm_source=nav", "/deep", "/deeper"]);
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
    expect(skipped).toEqual([{ url: `${site.origin}/out`, reason: "it redirects to another host" }]);
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

describe("robots.txt", () => {
  it.each([
    ["names our product", "User-agent: hypo\nDisallow: /x", "/x", false],
    ["names another product", "User-agent: other\nDisallow: /", "/x", true],
    ["allows within what it disallows", "User-agent: *\nDisallow: /x\nAllow: /x/y", "/x/y", true],
    ["has wildcards", "User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf", false],
    ["is empty", "", "/x", true],
    ["is HTML", "<html>not found</html>", "/x", true],
  ])("that %s is obeyed", async (_, text, path, allowed) => {
    const rules = await parseRobots("https://e.org/robots.txt", text);
    expect(rules.isAllowed(`https://e.org${path}`)).toBe(allowed);
  });

  it("may slow a crawl down, within reason", async () => {
    const delayOf = async (delay: string): Promise<number> =>
      (await parseRobots("https://e.org/robots.txt", `User-agent: *\nCrawl-delay: ${delay}`)).crawlDelayMs;
    expect(await delayOf("2")).toBe(2_000);
    expect(await delayOf("86400")).toBe(10_000);
    expect(await delayOf("-1")).toBe(0);
  });
});
