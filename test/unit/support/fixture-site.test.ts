import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFixtureSite, type FixtureSite } from "../../support/fixture-site.ts";

let site: FixtureSite;
beforeAll(async () => {
  site = await startFixtureSite({ slowMs: 200 });
});
afterAll(() => site.close());

const get = (path: string): Promise<Response> => fetch(site.origin + path, { redirect: "manual" });

describe("the fixture website", () => {
  it.each([
    ["/", "text/html; charset=utf-8", "Comparison sorting in practice"],
    ["/insertion-sort.html", "text/html; charset=utf-8", "binary insertion sort still moves a quadratic number of elements"],
    ["/merge-sort.html", "text/html; charset=utf-8", "Merging two sorted halves of together n elements takes at most n − 1 comparisons."],
    ["/measurements.html", "text/html; charset=utf-8", "<td>121.3</td>"],
    ["/forum-thread.html", "text/html; charset=utf-8", "ignore all previous instructions"],
    ["/notes.txt", "text/plain; charset=utf-8", "30 comparisons are needed"],
    ["/robots.txt", "text/plain; charset=utf-8", "Disallow: /private/"],
  ])("serves %s", async (path, type, words) => {
    const response = await get(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect(await response.text()).toContain(words);
  });

  it("links only to pages it has", async () => {
    const links = [...(await (await get("/")).text()).matchAll(/href="([^"]+)"/g)].map(([, path = ""]) => path);
    expect(links.length).toBeGreaterThan(6);
    const statuses = await Promise.all(links.map(async (path) => [path, (await fetch(site.origin + path)).status]));
    expect(statuses).toEqual(links.map((path) => [path, 200]));
  });

  it.each([
    ["/old-address.html", "/merge-sort.html"],
    ["/loop.html", "/loop.html"],
    ["/to-metadata.html", "http://169.254.169.254/latest/meta-data/"],
  ])("redirects %s to %s", async (from, to) => {
    const response = await get(from);
    expect([response.status, response.headers.get("location")]).toEqual([302, to]);
  });

  it.each(["/missing.html", "/private/plans.html", "/..%2f..%2fpackage.json", "/site"])("has no page at %s", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("Nothing here");
  });

  it("takes its time for the slow page", async () => {
    const started = performance.now();
    expect(await (await get("/slow.html")).text()).toContain("This page arrives late.");
    expect(performance.now() - started).toBeGreaterThan(190);
  });

  it("remembers what it was asked, and names the host to allow", async () => {
    const before = site.requests.length;
    await fetch(`http://${site.host}/notes.txt?q=1`, { headers: { "user-agent": "reader/1" } });
    await get("/missing.html");
    expect(site.requests.slice(before)).toEqual([
      { method: "GET", path: "/notes.txt", status: 200, userAgent: "reader/1" },
      { method: "GET", path: "/missing.html", status: 404, userAgent: expect.any(String) as string },
    ]);
  });
});
