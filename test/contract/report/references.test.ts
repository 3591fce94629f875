import { setTimeout as sleep } from "node:timers/promises";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Config } from "../../../src/domain/config.ts";
import type { ReferenceCheck } from "../../../src/domain/reference-check.ts";
import type { Bibliography } from "../../../src/domain/source.ts";
import { createReferenceChecker, type ReferenceChecker } from "../../../src/gateway/index.ts";
import { listenOnLoopback } from "../../support/loopback.ts";
import { makeSource, KNUTH } from "../../unit/report/run-records.ts";

/** Answers in the services' own shapes, cut to what a reference needs. */
const CROSSREF: Record<string, unknown> = {
  "10.1000/known": {
    status: "ok",
    "message-type": "work",
    message: {
      DOI: "10.1000/known",
      title: ["On <i>counting</i> comparisons: a survey"],
      author: [
        { given: "Ada", family: "Lovelace", sequence: "first", affiliation: [] },
        { given: "Grace", family: "Hopper", sequence: "additional", affiliation: [] },
      ],
    },
  },
  "10.1000/retracted": {
    status: "ok",
    message: {
      DOI: "10.1000/retracted",
      title: ["On counting comparisons"],
      author: [{ given: "Ada", family: "Lovelace" }],
      "updated-by": [{ DOI: "10.1000/notice", type: "retraction", label: "Retraction", source: "retraction-watch" }],
    },
  },
};
const OPENALEX: Record<string, unknown> = {
  "10.1000/known": {
    id: "https://openalex.org/W1",
    display_name: "On counting comparisons: a survey",
    authorships: [{ author: { display_name: "Ada Lovelace" } }, { author: { display_name: "Grace M. Hopper" } }],
    is_retracted: false,
  },
  "10.1000/datacite": { id: "https://openalex.org/W2", display_name: "On counting comparisons", authorships: [], is_retracted: true },
};

function arxivFeed(entry: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"><title>ArXiv Query</title>${entry}</feed>`;
}
const ARXIV: Record<string, string> = {
  "2101.00001": arxivFeed(
    "<entry><id>http://arxiv.org/abs/2101.00001v2</id><title>On counting\n  comparisons</title><summary>We count.</summary><author><name>Ada Lovelace</name></author></entry>",
  ),
  "2101.00002": arxivFeed(
    "<entry><id>http://arxiv.org/abs/2101.00002v3</id><title>On counting comparisons</title><summary>x</summary><author><name>Ada Lovelace</name></author><arxiv:comment>This paper has been withdrawn by the author</arxiv:comment></entry>",
  ),
};

let checker: ReferenceChecker;
let broken: ReferenceChecker;
const asked: string[] = [];
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://x");
    asked.push(`${url.pathname}${url.search}`);
    const doi = decodeURIComponent(url.pathname.replace(/^\/(?:crossref|openalex)\/works\/(?:doi:)?/, ""));
    const known = url.pathname.startsWith("/crossref/") ? CROSSREF[doi] : OPENALEX[doi];
    if (url.pathname.startsWith("/broken/")) response.writeHead(503).end("busy");
    else if (url.pathname === "/arxiv/api/query")
      response
        .writeHead(200, { "content-type": "application/atom+xml" })
        .end(ARXIV[url.searchParams.get("id_list") ?? ""] ?? arxivFeed(""));
    else if (known === undefined) response.writeHead(404).end("Resource not found.");
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(known));
  });
  const { origin, host, close } = await listenOnLoopback(server);
  const open = (paths: { crossref: string; openalex: string; arxiv: string }): ReferenceChecker =>
    createReferenceChecker({
      config: Config.parse({ gateway: { allow_hosts: [host] } }),
      // The services' pace is kept by another clock, so that nobody waits for it here.
      clock: { now: () => new Date("2026-11-30T12:00:00Z"), monotonic: () => performance.now(), sleep: () => sleep(0) },
      version: "0.0.0",
      endpoints: { crossref: origin + paths.crossref, openalex: origin + paths.openalex, arxiv: origin + paths.arxiv },
    });
  checker = open({ crossref: "/crossref", openalex: "/openalex", arxiv: "/arxiv" });
  broken = open({ crossref: "/broken", openalex: "/broken", arxiv: "/broken" });
  closing.push(
    () => checker.close(),
    () => broken.close(),
    close,
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

async function check(bibliography: Bibliography, by = checker): Promise<ReferenceCheck> {
  return by.check(makeSource(KNUTH, bibliography, "https://a.example/"), new AbortController().signal);
}

const TITLE = "On counting comparisons: a survey";

describe("checking a reference", () => {
  it("finds a work that exists and matches, and says when it was asked", async () => {
    expect(await check({ doi: "10.1000/known", title: TITLE, authors: ["Lovelace, A.", "Grace Hopper"] })).toEqual({
      source: KNUTH,
      checked_at: "2026-11-30T12:00:00.000Z",
      status: "matches",
      retracted: false,
      remarks: [],
    });
    expect(asked).toContain("/crossref/works/10.1000%2Fknown");
  });

  it.each<[string, Bibliography, Partial<ReferenceCheck>]>([
    ["another title", { doi: "10.1000/known", title: "A cure for colds in mice" }, { status: "differs", retracted: false }],
    ["a page title with the site's name behind it", { doi: "10.1000/known", title: `${TITLE} | Journal of Sums` }, { status: "matches" }],
    ["an author who is not one", { doi: "10.1000/known", title: TITLE, authors: ["Ada Lovelace", "Mary Invented"] }, { status: "differs" }],
    ["a DOI that nobody knows", { doi: "10.1000/invented", title: TITLE }, { status: "not_found", remarks: [] }],
    [
      "a retraction that Crossref knows",
      { doi: "10.1000/retracted", title: "On counting comparisons" },
      { status: "matches", retracted: true },
    ],
    [
      "a retraction that only OpenAlex knows",
      { doi: "10.1000/datacite", title: "On counting comparisons" },
      { status: "matches", retracted: true },
    ],
    [
      "an arXiv id",
      { arxiv: "2101.00001", title: "On counting comparisons", authors: ["A. Lovelace"] },
      { status: "matches", retracted: false },
    ],
    ["a withdrawn arXiv paper", { arxiv: "2101.00002", title: "On counting comparisons" }, { status: "matches", retracted: true }],
    ["an arXiv id that does not exist", { arxiv: "2101.99999", title: TITLE }, { status: "not_found" }],
    ["no identifier at all", { title: TITLE }, { status: "no_identifier", retracted: false }],
  ])("judges %s", async (_, bibliography, expected) => {
    expect(await check(bibliography)).toMatchObject(expected);
  });

  it("says what differs, by which service", async () => {
    const { remarks } = await check({ doi: "10.1000/known", title: "A cure for colds in mice", authors: ["Mary Invented"] });
    expect(remarks).toContain(`Crossref has the title "${TITLE}"`);
    expect(remarks).toContain("OpenAlex does not know Mary Invented as author of it");
  });

  it("does not take silence for absence: services that fail leave it unchecked and are named", async () => {
    const checked = await check({ doi: "10.1000/known", arxiv: "2101.00001", title: TITLE }, broken);
    expect(checked.status).toBe("unchecked");
    expect(checked.remarks).toHaveLength(3);
    expect(checked.remarks[0]).toContain("503");
  });
});
