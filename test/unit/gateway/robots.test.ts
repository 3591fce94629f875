import { describe, expect, it } from "vitest";
import { parseRobots } from "../../../src/gateway/read/robots.ts";

const SITE = "https://e.org";

async function isAllowed(robots: string, path: string): Promise<boolean> {
  return (await parseRobots(`${SITE}/robots.txt`, robots)).isAllowed(`${SITE}${path}`);
}

describe("a robots.txt", () => {
  it.each<[what: string, robots: string, path: string, allowed: boolean]>([
    ["that names our product closes what it says", "User-agent: hypo\nDisallow: /x", "/x", false],
    ["that names our product in capitals does, too", "USER-AGENT: HYPO\nDISALLOW: /x", "/x", false],
    ["that names our product speaks to us instead of to all", "User-agent: *\nDisallow: /\n\nUser-agent: hypo\nDisallow: /x", "/y", true],
    ["whose group for us comes first does, too", "User-agent: hypo\nDisallow: /x\n\nUser-agent: *\nDisallow: /", "/y", true],
    ["that names several products with one group means each", "User-agent: other\nUser-agent: hypo\nDisallow: /x", "/x", false],
    ["that names another product alone says nothing to us", "User-agent: other\nDisallow: /", "/x", true],
    ["that names a product whose name begins like ours says nothing to us", "User-agent: hypothesis\nDisallow: /", "/x", true],
    ["that speaks to all speaks to us", "User-agent: *\nDisallow: /x", "/x/y", false],
    ["opens within what it closes", "User-agent: *\nDisallow: /x\nAllow: /x/y", "/x/y", true],
    ["lets the longer rule count, whatever comes first", "User-agent: *\nAllow: /x\nDisallow: /x/y", "/x/y", false],
    ["lets the opening count where both are as long", "User-agent: *\nDisallow: /x\nAllow: /x", "/x", true],
    ["closes what begins like a path", "User-agent: *\nDisallow: /fish", "/fishheads.html", false],
    ["closes nothing that begins otherwise", "User-agent: *\nDisallow: /fish/", "/fish", true],
    ["minds the case of paths", "User-agent: *\nDisallow: /Fish", "/fish", true],
    ["has wildcards", "User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf", false],
    ["has an end mark", "User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf?x=1", true],
    ["minds the query", "User-agent: *\nDisallow: /*?sort=", "/list?sort=price", false],
    ["knows a path however it is escaped", "User-agent: *\nDisallow: /a%3cd.html", "/a%3Cd.html", false],
    ["knows a path in other letters", "User-agent: *\nDisallow: /süd", "/s%C3%BCd", false],
    ["that closes nothing opens everything", "User-agent: *\nDisallow:", "/x", true],
    ["may have comments, blanks and other line ends", "# hi\r\nUser-agent : * # all\r\n  Disallow : /x # no\r\n", "/x", false],
    ["is empty", "", "/x", true],
    ["is HTML", "<html>not found</html>", "/x", true],
    ["has rules before anybody is named", "Disallow: /\nUser-agent: other\nDisallow: /", "/x", true],
    ["never closes itself", "User-agent: *\nDisallow: /x", "/robots.txt", true],
  ])("%s", async (_, robots, path, allowed) => expect(await isAllowed(robots, path)).toBe(allowed));

  it.each([
    ["2", 2_000],
    ["0.5", 500],
    ["86400", 10_000],
    ["-1", 0],
    ["soon", 0],
    ["", 0],
  ])("may slow a crawl down, within reason: %j", async (delay, ms) => {
    expect((await parseRobots(`${SITE}/robots.txt`, `User-agent: *\nCrawl-delay: ${delay}`)).crawlDelayMs).toBe(ms);
  });

  it("holds for https where its file came from http, and the other way round", async () => {
    const rules = await parseRobots("http://e.org/robots.txt", "User-agent: *\nDisallow: /closed");
    expect(rules.isAllowed("https://e.org/closed/x")).toBe(false);
    expect(rules.isAllowed("https://e.org//closed.example/")).toBe(true);
    expect(rules.isAllowed("https://e.org/open")).toBe(true);
  });

  it("names sitemaps, for whomever they stand beside", async () => {
    const text = `Sitemap: ${SITE}/one.xml\nUser-agent: other\nDisallow: /\nsitemap: https://cdn.example/two.xml\nSitemap: nonsense`;
    expect((await parseRobots(`${SITE}/robots.txt`, text)).sitemaps).toEqual([`${SITE}/one.xml`, "https://cdn.example/two.xml"]);
  });
});
