import { describe, expect, it } from "vitest";
import type { Clock, SearchRequest } from "../../../src/domain/ports.ts";
import { openGateway, realClock, signal, type OpenGateway } from "./support/gateway.ts";
import { ARXIV, ARXIV_ERROR, CROSSREF, EUROPEPMC, OPENALEX, SEARXNG, WIKIPEDIA } from "./support/recorded.ts";
import { reply, serve, type Handler, type Site } from "./support/serve.ts";

const json = (value: unknown): Handler => reply(JSON.stringify(value), { "content-type": "application/json" });

/** Paths of the two services whose paths are the same are told apart by their query. */
const works: Handler = (request, response) =>
  (request.url?.includes("query.bibliographic") === true ? json(CROSSREF) : json(OPENALEX))(request, response);

const HANDLERS: Record<string, Handler> = {
  "/works": works,
  "/api/query": reply(ARXIV, { "content-type": "application/atom+xml" }),
  "/europepmc/webservices/rest/search": json(EUROPEPMC),
  "/w/rest.php/v1/search/page": json(WIKIPEDIA),
};

type Options = { handlers?: Record<string, Handler>; search?: object; clock?: Clock };

async function openSearch({ handlers = {}, search = {}, clock = realClock }: Options = {}): Promise<OpenGateway & { site: Site }> {
  const site = await serve({ ...HANDLERS, ...handlers });
  const names = ["openalex", "crossref", "arxiv", "europepmc", "wikipedia"];
  const endpoints = Object.fromEntries(names.map((name) => [name, site.origin]));
  const opened = await openGateway(
    { search: { contact: "me@example.org", ...search }, gateway: { allow_hosts: [site.host] } },
    { endpoints, clock },
  );
  return { ...opened, site };
}

function ask(kind: SearchRequest["kind"], limit = 10): SearchRequest {
  return { query: "counting things", kind, limit, signal };
}

describe("every search provider", () => {
  it.each([
    [
      "openalex",
      "papers",
      {
        url: "https://doi.org/10.1000/xyz",
        title: "On counting",
        snippet: "We count and count again.",
        authors: ["Ada Lovelace"],
        published: "2020-03-01",
        journal: "Journal of Counting",
        doi: "10.1000/xyz",
        pdf_url: "https://repository.example/xyz.pdf",
        retracted: true,
      },
    ],
    [
      "crossref",
      "papers",
      {
        url: "https://doi.org/10.1000/other",
        title: "Another & more",
        authors: ["Grace Hopper", "A Group"],
        published: "1999-04",
        journal: "Annals of Counting",
        doi: "10.1000/other",
      },
    ],
    [
      "arxiv",
      "papers",
      {
        url: "https://arxiv.org/abs/2101.00001v2",
        title: "Counting & ordering",
        snippet: "We count.",
        authors: ["Ada Lovelace"],
        published: "2021-01-01",
        doi: "10.48550/arxiv.2101.00001",
      },
    ],
    [
      "europepmc",
      "papers",
      {
        url: "https://europepmc.org/article/MED/123",
        title: "On counting.",
        snippet: "Aim We count.",
        authors: ["Lovelace A", "Hopper G"],
        published: "2020-03-01",
        journal: "Journal of Counting",
        doi: "10.1000/xyz",
      },
    ],
    ["wikipedia", "encyclopedia", { title: "Counting", snippet: "Finding how many — To count & order" }],
  ] as const)("%s gives hits in one shape", async (provider, kind, hit) => {
    const { gateway, site } = await openSearch({ search: { providers: [provider] } });
    const answer = await gateway.search(ask(kind));
    expect(answer.asked).toEqual([{ provider, ok: true, hits: expect.any(Number) }]);
    expect(answer.hits[0]).toMatchObject({ provider, ...hit });
    expect(answer.hits.every(({ url }) => URL.canParse(url))).toBe(true);
    expect(site.asked[0]).toMatch(/counting/);
  });

  it.each(["openalex", "crossref", "arxiv", "europepmc"] as const)(
    "%s that fails is named with its reason, and nothing is invented",
    async (provider) => {
      for (const [handler, note] of [
        [reply("<html>down</html>", {}, 503), "HTTP 503"],
        [reply("<html>sorry</html>", {}), "unexpected form"],
        [reply("{}", {}), "unexpected form"],
      ] as const) {
        const { gateway } = await openSearch({
          handlers: { "*": handler, "/works": handler, "/api/query": handler, "/europepmc/webservices/rest/search": handler },
          search: { providers: [provider] },
        });
        const answer = await gateway.search(ask("papers"));
        expect(answer.hits).toEqual([]);
        expect(answer.asked).toEqual([{ provider, ok: false, hits: 0, note: expect.stringContaining(note) }]);
        expect(answer.warnings[0]).toBe("No provider answered.");
      }
    },
  );

  it("arXiv's errors inside a feed are errors", async () => {
    const { gateway } = await openSearch({ handlers: { "/api/query": reply(ARXIV_ERROR) }, search: { providers: ["arxiv"] } });
    expect((await gateway.search(ask("papers"))).asked[0]?.note).toContain("malformed query");
  });
});

describe("a search", () => {
  it("merges what several providers know of the same paper", async () => {
    const { gateway } = await openSearch();
    const { hits, asked } = await gateway.search(ask("papers"));
    expect(asked.map(({ provider, ok }) => [provider, ok])).toEqual([
      ["openalex", true],
      ["crossref", true],
      ["arxiv", true],
      ["europepmc", true],
    ]);
    expect(hits[0]).toMatchObject({
      provider: "openalex, crossref, europepmc",
      doi: "10.1000/xyz",
      retracted: true,
      authors: ["Ada Lovelace"],
    });
    expect(hits.map(({ doi }) => doi)).toEqual(["10.1000/xyz", "10.1000/other", "10.48550/arxiv.2101.00001"]);
  });

  it("goes on without a provider that fails", async () => {
    const { gateway } = await openSearch({ handlers: { "/api/query": reply("", {}, 500) } });
    const { hits, asked, warnings } = await gateway.search(ask("papers"));
    expect(hits).toHaveLength(2);
    expect(asked.find(({ provider }) => provider === "arxiv")).toMatchObject({ ok: false, note: expect.stringContaining("HTTP 500") });
    expect(warnings.join()).toContain("arxiv did not answer");
  });

  it("leaves a provider alone for as long as it asked", async () => {
    const { gateway, site } = await openSearch({
      handlers: { "/works": (_, response) => void response.writeHead(429, { "retry-after": "120" }).end() },
      search: { providers: ["openalex"] },
    });
    expect((await gateway.search(ask("papers"))).asked[0]?.note).toContain("120 s");
    expect((await gateway.search(ask("papers"))).asked[0]?.note).toContain("left alone until");
    expect(site.asked).toHaveLength(1);
  });

  it.each([
    ["for longer than any time lasts", 429, "9".repeat(40)],
    ["until a day that is far off", 429, "Fri, 31 Dec 9999 23:59:59 GMT"],
    ["in neither seconds nor a date", 429, "-1.5"],
    ["for a while, since it has no time", 503, "120"],
  ])("goes on without a provider that wants to be left alone %s", async (_, status, wait) => {
    const { gateway, site } = await openSearch({
      handlers: { "/api/query": (_request, response) => void response.writeHead(status, { "retry-after": wait }).end() },
      search: { providers: ["arxiv", "europepmc"] },
    });
    for (const note of ["HTTP", "left alone until"]) {
      const { asked } = await gateway.search(ask("papers"));
      expect(asked).toMatchObject([
        { ok: false, note: expect.stringContaining(note) },
        { provider: "europepmc", ok: true },
      ]);
    }
    expect(site.asked.filter((path) => path.startsWith("/api/query"))).toHaveLength(1);
  });

  describe("of OpenAlex, whose daily credit an answer reports as used up,", () => {
    const noon = new Date("2026-11-30T12:00:00Z");
    const works =
      (status: number, headers: Record<string, string>): Handler =>
      (_, response) =>
        void response.writeHead(status, headers).end(status === 200 ? JSON.stringify(OPENALEX) : "no more today");

    it.each([
      ["at midnight UTC where it does not say when", 200, { "x-ratelimit-remaining": "0" }, "2026-12-01T00:00:00Z"],
      ["after the seconds it names", 200, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "600" }, "2026-11-30T12:10:00Z"],
      [
        "a day later where it names a time without end",
        200,
        { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1e300" },
        "2026-12-01T12:00:00Z",
      ],
      [
        "at the time it names in milliseconds",
        200,
        { "x-ratelimit-remaining": "-1", "x-ratelimit-reset": "1796050800000" },
        "2026-11-30T15:00:00Z",
      ],
      ["at the time it names", 200, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1796050800" }, "2026-11-30T15:00:00Z"],
      ["at midnight, refused without a time", 429, { "x-ratelimit-remaining": "0" }, "2026-12-01T00:00:00Z"],
      ["after the time of a refusal that names one", 429, { "retry-after": "90" }, "2026-11-30T12:01:30Z"],
    ])("no search is sent until it is renewed %s", async (_, status, headers, renewal) => {
      let now = noon;
      const clock: Clock = { ...realClock, now: () => now };
      const { gateway, site } = await openSearch({
        handlers: { "/works": works(status, headers) },
        search: { providers: ["openalex"] },
        clock,
      });
      expect((await gateway.search(ask("papers"))).asked[0]?.ok).toBe(status === 200);
      now = new Date(Date.parse(renewal) - 1_000);
      const refused = await gateway.search(ask("papers"));
      expect(refused.asked[0]).toMatchObject({ ok: false });
      expect(refused.warnings.join()).toContain("openalex did not answer");
      expect(site.asked).toHaveLength(1);
      now = new Date(Date.parse(renewal) + 1_000);
      await gateway.search(ask("papers"));
      expect(site.asked).toHaveLength(2);
    });

    it("the others go on, and the last answer before counts", async () => {
      const mixed: Handler = (request, response) =>
        request.url?.includes("query.bibliographic") === true
          ? json(CROSSREF)(request, response)
          : works(200, { "x-ratelimit-remaining": "0" })(request, response);
      const site = await serve({ "/works": mixed });
      const { gateway } = await openGateway(
        { search: { providers: ["openalex", "crossref"] }, gateway: { allow_hosts: [site.host, "crossref.example.com:" + site.port] } },
        {
          endpoints: { openalex: site.origin, crossref: `http://crossref.example.com:${site.port}` },
          resolve: async () => ["127.0.0.1"],
        },
      );
      const asked = async (): Promise<unknown[]> => (await gateway.search(ask("papers"))).asked.map(({ provider, ok }) => [provider, ok]);
      expect(await asked()).toEqual([
        ["openalex", true],
        ["crossref", true],
      ]);
      expect(await asked()).toEqual([
        ["openalex", false],
        ["crossref", true],
      ]);
    });
  });

  it("says that nothing was found", async () => {
    const { gateway } = await openSearch({ handlers: { "/w/rest.php/v1/search/page": json({ pages: [] }) } });
    const { hits, warnings } = await gateway.search(ask("encyclopedia"));
    expect(hits).toEqual([]);
    expect(warnings).toContain("Nothing was found.");
  });

  it("says once that no general search and no contact are configured", async () => {
    const { gateway } = await openSearch({ search: { contact: undefined } });
    expect((await gateway.search(ask("encyclopedia"))).warnings.join()).toMatch(/searxng_url.*search\.contact/);
    expect((await gateway.search(ask("encyclopedia"))).warnings).toEqual([]);
  });

  it("needs words, and a provider for its kind", async () => {
    const { gateway } = await openSearch({ search: { providers: ["arxiv"] } });
    await expect(gateway.search({ ...ask("papers"), query: " " })).rejects.toMatchObject({ code: "usage" });
    await expect(gateway.search(ask("encyclopedia"))).rejects.toMatchObject({ code: "not_configured" });
  });

  it("ends when its caller stops it", async () => {
    const { gateway } = await openSearch({ handlers: { "/w/rest.php/v1/search/page": () => undefined } });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    await expect(gateway.search({ ...ask("encyclopedia"), signal: stop.signal })).rejects.toMatchObject({ code: "refused" });
  });
});

describe("a search that is narrowed down", () => {
  const now = new Date("2026-03-31T12:00:00Z");
  const clock: Clock = { ...realClock, now: () => now };
  const wishes = { page: 3, language: "pt-BR", time_range: "month" } as const;
  const asPath = (url: string): Record<string, string> => Object.fromEntries(new URL(url, "http://e.org").searchParams);

  it.each([
    ["openalex", "papers", { page: "3", filter: "from_publication_date:2026-02-28,language:pt" }, undefined],
    ["crossref", "papers", { offset: "20", filter: "from-pub-date:2026-02-28" }, "not narrowed by language"],
    [
      "arxiv",
      "papers",
      { start: "20", search_query: "all:counting AND all:things AND submittedDate:[202602280000 TO 202603312359]" },
      "not narrowed by language",
    ],
    [
      "europepmc",
      "papers",
      { pageSize: "30", query: "(counting things) AND FIRST_PDATE:[2026-02-28 TO 2026-03-31]" },
      "not narrowed by language",
    ],
    ["wikipedia", "encyclopedia", { limit: "30" }, "not narrowed by time range"],
  ] as const)("is handed on to %s in its words, and what it cannot heed is said", async (provider, kind, parameters, note) => {
    const { gateway, site } = await openSearch({ search: { providers: [provider] }, clock });
    const { asked } = await gateway.search({ ...ask(kind), ...wishes });
    expect(asPath(site.asked[0] ?? "")).toMatchObject(parameters);
    expect(asked[0]).toMatchObject({ ok: true, note });
  });

  it("is handed on to SearXNG", async () => {
    const searxng = await serve({ "/search": json(SEARXNG) });
    const { gateway } = await openSearch({ search: { searxng_url: searxng.origin } });
    const { asked } = await gateway.search({ ...ask("web"), ...wishes });
    expect(asPath(searxng.asked[0] ?? "")).toMatchObject({ language: "pt-BR", pageno: "3", time_range: "month" });
    expect(asked[0]?.note).toBeUndefined();
  });

  it("asks the Wikipedia of its language", async () => {
    const site = await serve({ "/w/rest.php/v1/search/page": json(WIKIPEDIA) });
    const name = `pt.wiki.example:${site.port}`;
    const { gateway } = await openGateway(
      { search: { providers: ["wikipedia"] }, gateway: { allow_hosts: [name] } },
      { endpoints: { wikipedia: `http://en.wiki.example:${site.port}` }, resolve: async () => ["127.0.0.1"] },
    );
    const { hits } = await gateway.search({ ...ask("encyclopedia"), language: "pt-BR" });
    expect(hits[0]?.url).toBe(`http://${name}/wiki/Counting_(maths)`);
  });

  it.each(["wikipedia", "europepmc"] as const)("turns the pages of %s, which always begins at its first result", async (provider) => {
    const titles = Array.from({ length: 7 }, (_, index) => `T${index + 1}`);
    const { gateway } = await openSearch({
      handlers: {
        "/w/rest.php/v1/search/page": json({ pages: titles.map((title) => ({ key: title, title })) }),
        "/europepmc/webservices/rest/search": json({
          resultList: { result: titles.map((title) => ({ id: title, source: "MED", title })) },
        }),
      },
      search: { providers: [provider] },
    });
    const page = async (number: number): Promise<string[]> => {
      const kind = provider === "wikipedia" ? "encyclopedia" : "papers";
      return (await gateway.search({ ...ask(kind, 3), page: number })).hits.map(({ title }) => title);
    };
    expect([await page(1), await page(2), await page(3), await page(4)]).toEqual([["T1", "T2", "T3"], ["T4", "T5", "T6"], ["T7"], []]);
  });
});

describe("SearXNG", () => {
  async function openSearxng(handler: Handler): Promise<OpenGateway & { site: Site; searxng: Site }> {
    const searxng = await serve({ "/search": handler });
    return { ...(await openSearch({ search: { searxng_url: searxng.origin } })), searxng };
  }

  it("answers general searches alone, and names its silent engines", async () => {
    const { gateway, site, searxng } = await openSearxng(json(SEARXNG));
    const { hits, asked, warnings } = await gateway.search(ask("web"));
    expect(hits.map(({ url }) => url)).toEqual(["https://e.org/counting", "https://doi.org/10.1000/xyz"]);
    expect(hits[1]).toMatchObject({
      doi: "10.1000/xyz",
      authors: ["Ada Lovelace"],
      published: "2020-03-01",
      journal: "Journal of Counting",
      pdf_url: "https://repository.example/xyz.pdf",
    });
    expect(asked).toEqual([{ provider: "searxng", ok: true, hits: 2 }]);
    expect(warnings).toEqual(["SearXNG: the engine slow engine did not respond (timeout)."]);
    expect(searxng.asked).toEqual(["/search?q=counting+things&format=json&categories=general"]);
    expect(site.asked).toEqual([]);
  });

  it.each([
    ["SearXNG writes it", { publishedDate: "2021-01-01T10:20:30", pubdate: "2021-01-01 10:20:30" }, "2021-01-01"],
    ["searx writes it", { publishedDate: "Jan 1, 2021", pubdate: "2021-01-01 10:20:30" }, "2021-01-01"],
    ["searx writes the newest", { publishedDate: "3 hour(s), 5 minute(s) ago", pubdate: "2021-01-01 10:20:30+0000" }, "2021-01-01"],
    ["an engine names a year alone", { publishedDate: "2021" }, "2021"],
    ["an engine knows none", { publishedDate: null, pubdate: "" }, undefined],
  ])("gives the day of a result as %s", async (_, dates, published) => {
    const { gateway } = await openSearxng(json({ results: [{ url: "https://e.org/", title: "", ...dates }] }));
    expect((await gateway.search(ask("web"))).hits).toEqual([expect.objectContaining({ title: "https://e.org/", published })]);
  });

  it("that gives results without an address, as calculators do, still gives its pages", async () => {
    const found = [{ url: null, title: "1 + 1 = 2" }, { title: "no address" }, { url: "javascript:alert(1)" }, "odd"];
    const { gateway } = await openSearxng(json({ results: [...found, { url: "https://e.org/", title: 7, authors: [null] }] }));
    expect((await gateway.search(ask("web"))).hits).toEqual([expect.objectContaining({ url: "https://e.org/", title: "https://e.org/" })]);
  });

  it("whose limiter says for how long is left alone for so long", async () => {
    const { gateway, searxng } = await openSearxng((_, response) => void response.writeHead(429, { "retry-after": "7200" }).end());
    await gateway.search(ask("web"));
    const [asked] = (await gateway.search(ask("web"))).asked;
    const until = Date.parse(/until (\S+)\.$/.exec(asked?.note ?? "")?.[1] ?? "");
    expect(until).toBeGreaterThan(Date.now() + 7_000_000);
    expect(searxng.asked).toHaveLength(1);
  });

  it("says what an instance does not take", async () => {
    const { gateway } = await openSearxng(reply(JSON.stringify({ error: 'Invalid value "xx" for parameter language' }), {}, 400));
    expect((await gateway.search(ask("web"))).asked[0]?.note).toContain('Invalid value "xx" for parameter language');
  });

  it("is asked as its limiter wants to be asked", async () => {
    let headers: Record<string, unknown> = {};
    const { gateway } = await openSearxng((request, response) => {
      ({ headers } = request);
      json(SEARXNG)(request, response);
    });
    await gateway.search(ask("web"));
    expect(headers["accept"]).toContain("text/html");
    expect(headers["accept-encoding"]).toMatch(/gzip.*deflate/);
    expect(headers["accept-language"]).toBe("en");
  });

  it.each([
    ["403 HTML, as json is not enabled", reply("<html>Forbidden</html>", {}, 403), "search.formats"],
    ["429 text, from its limiter", reply("Too Many Requests", { "content-type": "text/plain" }, 429), "limiter"],
    ["a redirect", reply("", { location: "http://10.0.0.1/search" }, 302), "are not followed"],
    ["500", reply("", {}, 500), "HTTP 500"],
    ["HTML", reply("<html>hi</html>"), "HTML instead of JSON"],
  ])("that gives %s is reported, and the keyless providers step in", async (_, handler, note) => {
    const { gateway } = await openSearxng(handler);
    const { asked, hits } = await gateway.search(ask("web"));
    expect(asked[0]).toMatchObject({ provider: "searxng", ok: false, note: expect.stringContaining(note) });
    expect(asked.slice(1).map(({ provider, ok }) => [provider, ok])).toEqual([
      ["openalex", true],
      ["crossref", true],
      ["wikipedia", true],
    ]);
    expect(hits.length).toBeGreaterThan(0);
  });

  it("that is down is reported", async () => {
    const { gateway } = await openSearch({ search: { searxng_url: "http://127.0.0.1:1" } });
    expect((await gateway.search(ask("web"))).asked[0]).toMatchObject({
      provider: "searxng",
      ok: false,
      note: expect.stringContaining("ECONNREFUSED"),
    });
  });
});
