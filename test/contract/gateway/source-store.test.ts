import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/domain/hash.ts";
import { openSourceStore, type WritableSourceStore } from "../../../src/gateway/index.ts";
import { createTextDeriver } from "../../../src/gateway/extract/derive-text.ts";
import type { FetchedDocument } from "../../../src/gateway/store/describe-source.ts";
import { article, makeTemporaryFolder, signal } from "./support/gateway.ts";

/** Worker threads for all stores of this file: what they make depends on the job alone. */
const deriver = createTextDeriver();
afterAll(() => deriver.close());

function fetched(content: string, url = "https://e.org/a", mime = "text/html"): FetchedDocument {
  return {
    bytes: Buffer.from(content),
    mime,
    retrieval: { url, final_url: url, retrieved_at: "2026-01-01T00:00:00.000Z", status: 200, backend: "direct" },
  };
}

function openStore(folder: string, damaged: string[] = []): WritableSourceStore {
  return openSourceStore(folder, { deriver, onDamage: ({ path }) => damaged.push(path) });
}

const PAGE = article("Stored", '<p>Words, with a <a href="/rel">link</a> and 𝒳 beyond the plane.</p>');

describe("the source store", () => {
  it("keeps bytes under their hash, with what is known of them", async () => {
    const folder = await makeTemporaryFolder();
    const { source, text } = await openStore(folder).keep(fetched(PAGE), signal);
    const id = sha256(PAGE);
    expect(source).toMatchObject({ id, size: Buffer.byteLength(PAGE), mime: "text/html", canonical: "https://e.org/a", untrusted: true });
    expect(source.bibliography).toMatchObject({ title: "Stored" });
    expect(source.text).toEqual({ sha256: sha256(text ?? ""), extractor: "html/1", characters: Array.from(text ?? "").length });
    expect((await readdir(join(folder, id.slice(0, 2), id))).toSorted()).toEqual(["metadata.json", "original"]);
    expect(await readFile(join(folder, id.slice(0, 2), id, "original"), "utf8")).toBe(PAGE);
  });

  it("makes the same text again in another process", async () => {
    const folder = await makeTemporaryFolder();
    const { source, text } = await openStore(folder).keep(fetched(PAGE), signal);
    expect(await openStore(folder).text(source.id)).toBe(text);
  });

  it("keeps the text once it is cited, and serves it without the bytes", async () => {
    const folder = await makeTemporaryFolder();
    const { source, text } = await openStore(folder).keep(fetched(PAGE), signal);
    await openStore(folder).keepText(source.id);
    await rm(join(folder, source.id.slice(0, 2), source.id, "original"));
    const store = openStore(folder);
    expect(await store.text(source.id)).toBe(text);
    expect(await store.bytes(source.id)).toBeUndefined();
  });

  it("appends every retrieval and derives against the first", async () => {
    const store = openStore(await makeTemporaryFolder());
    const first = await store.keep(fetched(PAGE), signal);
    const again = await store.keep(fetched(PAGE, "https://other.org/b"), signal);
    expect(again.source.retrievals.map(({ url }) => url)).toEqual(["https://e.org/a", "https://other.org/b"]);
    expect(again.text).toBe(first.text);
    expect(again.text).toContain("https://e.org/rel");
  });

  it("loses no retrieval when the same bytes arrive at once", async () => {
    const folder = await makeTemporaryFolder();
    const store = openStore(folder);
    await Promise.all(Array.from({ length: 8 }, (_, index) => store.keep(fetched(PAGE, `https://e.org/${index}`), signal)));
    expect((await store.find(sha256(PAGE)))?.retrievals).toHaveLength(8);
  });

  it("brings the bytes back where only metadata came with a clone", async () => {
    const folder = await makeTemporaryFolder();
    const { source } = await openStore(folder).keep(fetched(PAGE), signal);
    await rm(join(folder, source.id.slice(0, 2), source.id, "original"));
    const store = openStore(folder);
    expect(await store.text(source.id)).toBeUndefined();
    expect((await store.keep(fetched(PAGE), signal)).text).toContain("Words");
  });

  it("finds a source by a prefix of eight digits or more", async () => {
    const store = openStore(await makeTemporaryFolder());
    const { source } = await store.keep(fetched("a,b", "https://e.org/d.csv", "text/csv"), signal);
    expect((await store.find(source.id.slice(0, 8)))?.id).toBe(source.id);
    expect((await store.find(source.id.toUpperCase()))?.id).toBe(source.id);
    for (const wrong of [source.id.slice(0, 7), "zzzzzzzz", "../../etc/passwd", "", "00000000"])
      expect(await store.find(wrong)).toBeUndefined();
  });

  it("says that a prefix names several sources", async () => {
    const folder = await makeTemporaryFolder();
    for (const end of ["0", "1"]) await mkdir(join(folder, "ab", `abcdef12${end.repeat(56)}`), { recursive: true });
    await expect(openStore(folder).find("abcdef12")).rejects.toMatchObject({ code: "usage" });
  });

  it.each([
    ["cut short", '{"v": 1, "id": "'],
    ["empty", ""],
    ["of another shape", '{"v": 1}'],
  ])("lists the others where metadata is %s, and reports it", async (_, content) => {
    const folder = await makeTemporaryFolder();
    const { source } = await openStore(folder).keep(fetched(PAGE), signal);
    const { source: other } = await openStore(folder).keep(fetched("x", "https://e.org/x", "text/plain"), signal);
    const path = join(folder, source.id.slice(0, 2), source.id, "metadata.json");
    await writeFile(path, content);
    const damaged: string[] = [];
    const store = openStore(folder, damaged);
    expect((await store.list()).map(({ id }) => id)).toEqual([other.id]);
    expect(damaged).toEqual([path]);
    await expect(store.find(source.id)).rejects.toMatchObject({ code: "storage_failed", message: expect.stringContaining(source.id) });
  });

  it("refuses bytes and texts that were changed by hand", async () => {
    const folder = await makeTemporaryFolder();
    const { source } = await openStore(folder).keep(fetched(PAGE), signal);
    await openStore(folder).keepText(source.id);
    const place = join(folder, source.id.slice(0, 2), source.id);
    await writeFile(join(place, "text.md"), "forged");
    await expect(openStore(folder).text(source.id)).rejects.toMatchObject({ code: "storage_failed" });
    await rm(join(place, "text.md"));
    await writeFile(join(place, "original"), "forged");
    await expect(openStore(folder).text(source.id)).rejects.toMatchObject({ code: "storage_failed" });
    await expect(openStore(folder).bytes(source.id)).rejects.toMatchObject({ code: "storage_failed" });
  });

  it("is empty where the folder does not exist", async () => {
    const store = openStore(join(await makeTemporaryFolder(), "none"));
    expect(await store.list()).toEqual([]);
    expect(await store.find("00000000")).toBeUndefined();
    await expect(store.keepText("0".repeat(64))).rejects.toMatchObject({ code: "not_found" });
  });
});
