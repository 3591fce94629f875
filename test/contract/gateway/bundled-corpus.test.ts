import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { article, makeTemporaryFolder, openGateway, signal, type OpenGateway } from "./support/gateway.ts";

const ORIGIN = "https://rehearsal.hypo.example";
let opened: OpenGateway;

beforeEach(async () => {
  const folder = await makeTemporaryFolder();
  await mkdir(join(folder, "papers"));
  await writeFile(
    join(folder, "papers", "sorting.html"),
    article(
      "Sorting networks",
      '<p>Merging, sorting and <a href="counting.md">counting</a>.</p>',
      '<meta name="citation_author" content="Ada">',
    ),
  );
  await writeFile(join(folder, "papers", "counting.md"), "# Counting\n\nHow to count, slowly.\n");
  await writeFile(join(folder, "secret.bin"), "x");
  await writeFile(join(folder, "..", "outside.md"), "# Outside");
  opened = await openGateway({}, { corpus: { origin: ORIGIN, folder }, resolve: () => Promise.reject(new Error("no network")) });
});

describe("a bundled corpus", () => {
  it("is searched without network, best match first", async () => {
    const { hits, asked, warnings } = await opened.gateway.search({ query: "sorting and counting", kind: "papers", limit: 5, signal });
    expect(hits.map(({ url }) => url)).toEqual([`${ORIGIN}/papers/sorting.html`, `${ORIGIN}/papers/counting.md`]);
    expect(hits[0]).toMatchObject({ title: "Sorting networks", provider: "rehearsal", snippet: expect.stringContaining("sorting") });
    expect(asked).toEqual([{ provider: "rehearsal", ok: true, hits: 2 }]);
    expect(warnings).toEqual([]);
    expect((await opened.gateway.search({ query: "volcano", kind: "web", limit: 5, signal })).warnings).toEqual(["Nothing was found."]);
  });

  it("is read like the web: stored, with metadata and absolute links", async () => {
    const { source, text } = await opened.gateway.read(`${ORIGIN}/papers/sorting.html`, { signal });
    expect(text).toContain(`[counting](${ORIGIN}/papers/counting.md)`);
    expect(source).toMatchObject({
      bibliography: { title: "Sorting networks", authors: ["Ada"] },
      retrievals: [{ backend: "rehearsal", status: 200 }],
    });
    expect(await opened.store.text(source.id)).toBe(text);
    expect((await opened.gateway.read(`${ORIGIN}/papers/counting.md`, { signal })).text).toContain("How to count");
  });

  it("is crawled", async () => {
    const { documents } = await opened.gateway.crawl({ url: `${ORIGIN}/papers/sorting.html`, pages: 5, depth: 1, signal });
    expect(documents.map(({ source }) => source.bibliography.title)).toEqual(["Sorting networks", "Counting"]);
  });

  it.each([
    `${ORIGIN}/none.html`,
    `${ORIGIN}/../outside.md`,
    `${ORIGIN}/%2e%2e/outside.md`,
    `${ORIGIN}/..%2foutside.md`,
    `${ORIGIN}/secret.bin`,
    "https://example.com/",
  ])("does not have %s", async (url) => {
    await expect(opened.gateway.read(url, { signal })).rejects.toMatchObject({ code: "not_found" });
  });
});
