import { execFile } from "node:child_process";
import { mkdir, readFile, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { HypoError } from "../../../src/domain/errors.ts";
import { hashOf, sha256 } from "../../../src/domain/hash.ts";
import { asRecorded } from "../../../src/domain/source-states.ts";
import { openSourceStore, type WritableSourceStore } from "../../../src/gateway/index.ts";
import { createTextDeriver, type TextDeriver } from "../../../src/gateway/extract/derive-text.ts";
import type { FetchedDocument } from "../../../src/gateway/store/describe-source.ts";
import { IndexFile } from "../../../src/gateway/store/index/index-file.ts";
import { SourceFolders } from "../../../src/gateway/store/source-folders.ts";
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

/** A socket stays where it was bound, also when its server is gone. */
async function makeSocket(path: string): Promise<void> {
  // A longer path than a socket may have is bound by its last part.
  await promisify(execFile)(process.execPath, [
    "-e",
    `process.chdir(${JSON.stringify(dirname(path))}); require("net").createServer().listen(${JSON.stringify(basename(path))}, () => process.kill(process.pid, "SIGKILL"))`,
  ]).catch(() => undefined);
}

const PAGE = article("Stored", '<p>Words, with a <a href="/rel">link</a> and 𝒳 beyond the plane.</p>');

describe("the source store", () => {
  it("keeps bytes under their hash, with what is known of them", async () => {
    const folder = await makeTemporaryFolder();
    const { source, text } = await openStore(folder).keep(fetched(PAGE), signal);
    const id = sha256(PAGE);
    expect(source).toMatchObject({ id, size: Buffer.byteLength(PAGE), mime: "text/html", canonical: "https://e.org/a", untrusted: true });
    expect(source.bibliography).toMatchObject({ title: "Stored" });
    expect(source.text).toEqual({
      sha256: sha256(text ?? ""),
      extractor: "html/4",
      characters: Array.from(text ?? "").length,
      signature: expect.stringMatching(/^[0-9a-f]{128}$/),
    });
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

  it("loses no retrieval when several processes store the same bytes at once", async () => {
    const folder = await makeTemporaryFolder();
    const program = join(folder, "keep.mjs");
    await writeFile(
      program,
      `import { openSourceStore } from ${JSON.stringify(new URL("../../../dist/gateway/index.js", import.meta.url).href)};
       const store = openSourceStore(process.argv[2]);
       for (let index = 0; index < 5; index += 1) {
         const url = "https://e.org/" + process.argv[3] + "/" + index;
         const retrieval = { url, final_url: url, retrieved_at: "2026-01-01T00:00:00.000Z", status: 200, backend: "direct" };
         await store.keep({ bytes: Buffer.from("the same bytes"), mime: "text/plain", retrieval }, new AbortController().signal);
       }
       await store.close();`,
    );
    const run = promisify(execFile);
    await Promise.all(["a", "b", "c"].map((name) => run(process.execPath, [program, join(folder, "sources"), name])));
    const source = await openStore(join(folder, "sources")).find(sha256("the same bytes"));
    expect(new Set(source?.retrievals.map(({ url }) => url)).size).toBe(15);
  });

  it("takes a new version's text while nothing cites the old one, and refuses it afterwards", async () => {
    const folder = await makeTemporaryFolder();
    const { source } = await openStore(folder).keep(fetched(PAGE), signal);
    const path = join(folder, source.id.slice(0, 2), source.id, "metadata.json");
    const older = { ...source, text: { sha256: sha256("as it was"), extractor: "html/0", characters: 9 } };
    await writeFile(path, JSON.stringify(older));
    expect(await openStore(folder).text(source.id)).toContain("Words");
    const renewed = await openStore(folder).find(source.id);
    expect(renewed?.text?.extractor).toBe("html/4");
    // Runs that read it remember it as it was.
    expect(renewed && asRecorded(renewed, hashOf(older))).toEqual(older);
    await writeFile(path, JSON.stringify(older));
    await writeFile(join(path, "..", "text.md"), "as it was");
    expect(await openStore(folder).text(source.id)).toBe("as it was");
  });

  it("makes the text later that could not be made when the bytes were kept as data", async () => {
    const folder = await makeTemporaryFolder();
    const busy: TextDeriver = { derive: () => Promise.reject(new HypoError("timeout", "Too slow.")), close: async () => undefined };
    const kept = await openSourceStore(folder, { deriver: busy }).keep(fetched(PAGE), signal, { textOptional: true });
    expect(kept).toMatchObject({ text: undefined, warnings: ["Too slow."] });
    const read = await openStore(folder).keep(fetched(PAGE, "https://e.org/b"), signal);
    expect(read.text).toContain("Words");
    expect(read.source.retrievals).toHaveLength(2);
    expect(await openStore(folder).text(read.source.id)).toBe(read.text);
    expect(asRecorded(read.source, hashOf(kept.source))).toEqual(kept.source);
  });

  it("is empty where the folder does not exist", async () => {
    const store = openStore(join(await makeTemporaryFolder(), "none"));
    expect(await store.list()).toEqual([]);
    expect(await store.newest(5)).toEqual({ sources: [], total: 0 });
    expect(await store.find("00000000")).toBeUndefined();
    await expect(store.keepText("0".repeat(64))).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the index of the sources", () => {
  const at = (day: number): string => `2026-01-${String(day).padStart(2, "0")}T00:00:00.000Z`;
  function dated(content: string, url: string, day: number): FetchedDocument {
    const document = fetched(content, url, "text/markdown");
    return { ...document, retrieval: { ...document.retrieval, retrieved_at: at(day) } };
  }

  async function fill(folder: string): Promise<string[]> {
    const store = openStore(folder);
    const ids: string[] = [];
    for (const [day, name] of ["Sorting networks", "Counting sheep", "Sorting laundry"].entries()) {
      ids.push((await store.keep(dated(`# ${name}\n\ntext ${day}`, `https://e.org/${day}`, day + 1), signal)).source.id);
    }
    await store.close();
    return ids;
  }

  it("lists the newest first, and says how many there are", async () => {
    const folder = join(await makeTemporaryFolder(), "sources");
    const ids = await fill(folder);
    const { sources, total } = await openStore(folder).newest(2);
    expect(sources.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect(total).toBe(3);
  });

  it("finds all words, or beginnings of them, in title and address; FTS syntax is just words", async () => {
    const folder = join(await makeTemporaryFolder(), "sources");
    const ids = await fill(folder);
    const store = openStore(folder);
    expect((await store.search("sort", 10)).sources.map(({ id }) => id)).toEqual(expect.arrayContaining([ids[0], ids[2]]));
    expect((await store.search("sorting NETWORK", 10)).sources.map(({ id }) => id)).toEqual([ids[0]]);
    expect((await store.search('e.org "1" AND (', 10)).total).toBe(0);
    expect((await store.search("***", 10)).total).toBe(0);
  });

  it("finds the text of what is cited", async () => {
    const folder = join(await makeTemporaryFolder(), "sources");
    const store = openStore(folder);
    const { source } = await store.keep(dated("# Title\n\nzanzibar", "https://e.org/z", 1), signal);
    expect((await store.search("zanzibar", 5)).total).toBe(0);
    await store.keepText(source.id);
    expect((await store.search("zanzibar", 5)).total).toBe(1);
  });

  it.each([
    ["Chinese", "缓存可以减少延迟，研究表明如此。", ["减少", "研究表明", "延迟 缓存"], ["延缓", "明表"]],
    ["Japanese", "データの研究によるとGPUで速くなる。", ["データ", "研究", "GPUで"], ["ター", "究研"]],
    ["Thai", "การแคชช่วยลดเวลาแฝง", ["เวลา", "แคช"], ["แฝงเวลา"]],
    ["Korean", "캐시는 지연을 줄인다는 연구", ["지연", "연구"], ["연지"]],
  ])("finds parts of sentences in %s", async (_, text, present, absent) => {
    const store = openStore(join(await makeTemporaryFolder(), "sources"));
    const { source } = await store.keep(dated(`# Title\n\n${text}`, "https://e.org/z", 1), signal);
    await store.keepText(source.id);
    for (const query of present) expect([query, (await store.search(query, 5)).total]).toEqual([query, 1]);
    for (const query of absent) expect([query, (await store.search(query, 5)).total]).toEqual([query, 0]);
  });

  it.each([
    ["deleted", (path: string) => Promise.all(["", "-wal", "-shm"].map((end) => rm(path + end, { force: true })))],
    ["damaged", (path: string) => writeFile(path, "no database at all, but long enough to be looked at as one".repeat(200))],
  ])("is built again where it was %s", async (_, harm) => {
    const folder = join(await makeTemporaryFolder(), "sources");
    const ids = await fill(folder);
    await harm(`${folder}.sqlite`);
    expect((await openStore(folder).newest(10)).sources.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  it("is built again where it proves to be damaged on the way", async () => {
    const folder = join(await makeTemporaryFolder(), "sources");
    const ids = await fill(folder);
    const path = `${folder}.sqlite`;
    // The first page, by which a database is known, stays as it is.
    const whole = await readFile(path);
    await writeFile(path, whole.fill(0x5a, 4_096));
    const listing = openStore(folder);
    expect((await listing.newest(10)).sources.map(({ id }) => id)).toEqual(ids.toReversed());
    await listing.close();
    await writeFile(path, (await readFile(path)).fill(0x5a, 4_096));
    const store = openStore(folder);
    const again = dated("# Title\n\nzanzibar", "https://e.org/z", 9);
    await expect(store.keep(again, signal)).rejects.toMatchObject({ code: "storage_failed", hint: "Try again." });
    await store.keep(again, signal);
    expect((await store.newest(10)).total).toBe(4);
  });

  it("says that the disk is full", async () => {
    const path = join(await makeTemporaryFolder(), "sources.sqlite");
    const file = new IndexFile(path);
    const overfill = file.locked(async (database) => {
      database.pragma(`max_page_count = ${String(database.pragma("page_count", { simple: true }))}`);
      for (let name = 0; ; name += 1) database.prepare("INSERT INTO shelves VALUES (?, ?, 0)").run(String(name), "x".repeat(500));
    });
    await expect(overfill).rejects.toMatchObject({ code: "storage_failed", message: `Cannot write ${path}: the disk is full.` });
    await file.close();
  });

  it("notices what others add, change and remove", async () => {
    const folder = join(await makeTemporaryFolder(), "sources");
    const ids = await fill(folder);
    const store = openStore(folder);
    expect((await store.newest(10)).total).toBe(3);
    await rm(join(folder, (ids[0] ?? "").slice(0, 2), ids[0] ?? ""), { recursive: true });
    const path = join(folder, (ids[1] ?? "").slice(0, 2), ids[1] ?? "", "metadata.json");
    const changed = JSON.parse(await readFile(path, "utf8")) as { bibliography: object };
    await writeFile(path, JSON.stringify({ ...changed, bibliography: { title: "Renamed by hand" } }));
    expect((await store.newest(10)).total).toBe(2);
    expect((await store.search("renamed", 10)).sources.map(({ id }) => id)).toEqual([ids[1]]);
  });

  it.each([
    ["as it is now", "of a listed source that was changed meanwhile", { title: "Renamed" }, ["Renamed"], 0],
    ["as damaged", "of a listed source that says nonsense meanwhile", { title: 7 }, [], 1],
  ])("shows the metadata %s, %s", async (_now, _of, bibliography, titles, problems) => {
    const folder = join(await makeTemporaryFolder(), "sources");
    const [id = ""] = await fill(folder);
    const folders = new SourceFolders(folder);
    const known = folders.stamp(id) ?? "";
    expect(await folders.readCheckedRecord(id, known)).toEqual(await folders.readRecord(id));
    const path = folders.metadataPath(id);
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), bibliography }));
    const read = await Promise.allSettled([folders.readCheckedRecord(id, known)]);
    expect(read.flatMap((each) => (each.status === "fulfilled" ? [each.value?.bibliography.title] : []))).toEqual(titles);
    expect(read.filter(({ status }) => status === "rejected")).toHaveLength(problems);
  });

  it("links texts that are nearly the same, and no others", async () => {
    const store = openStore(join(await makeTemporaryFolder(), "sources"));
    const words = Array.from({ length: 400 }, (_, index) => `word${(index * 7919) % 1000}`);
    const text = words.join(" ");
    const other = words.map((word) => `${word}x`).join(" ");
    const first = await store.keep(dated(text, "https://e.org/1", 1), signal);
    const second = await store.keep(dated(`${text} and a line more, with a date`, "https://mirror.org/1", 2), signal);
    const third = await store.keep(dated(other, "https://e.org/3", 3), signal);
    expect(await store.findSimilar(second.source)).toEqual([{ id: first.source.id, similarity: expect.closeTo(1, 0) }]);
    expect(await store.findSimilar(third.source)).toEqual([]);
  });

  /** What may stand where a file of a source should be. */
  const ODD: [what: string, put: (path: string) => Promise<unknown>][] = [
    ["a pipe", async (path) => promisify(execFile)("mkfifo", [path])],
    ["a device", (path) => symlink("/dev/zero", path)],
    ["a folder", (path) => mkdir(path)],
    ["a link that leads nowhere", (path) => symlink("nowhere", path)],
    ["a link to itself", (path) => symlink(basename(path), path)],
    ["a socket", makeSocket],
  ];

  it.each(ODD)("names a source with %s for its metadata, and lists the others", async (_what, put) => {
    const folder = join(await makeTemporaryFolder(), "sources");
    const [id = ""] = await fill(folder);
    const path = join(folder, id.slice(0, 2), id, "metadata.json");
    await rm(path);
    await put(path);
    const damaged: string[] = [];
    const store = openStore(folder, damaged);
    expect((await store.newest(10)).total).toBe(2);
    expect(damaged).toEqual([path]);
    await expect(store.find(id)).rejects.toMatchObject({ code: "storage_failed" });
  });

  it.each(ODD)("never waits for %s in place of the bytes or the text", async (_what, put) => {
    const folder = join(await makeTemporaryFolder(), "sources");
    const [first = "", second = ""] = await fill(folder);
    for (const [id, name] of [
      [first, "original"],
      [second, "text.md"],
    ] as const) {
      const path = join(folder, id.slice(0, 2), id, name);
      await rm(path, { force: true });
      await put(path);
      const store = openStore(folder);
      await expect(store.check(id)).rejects.toMatchObject({ code: "storage_failed" });
      await expect(store.text(id)).rejects.toMatchObject({ code: "storage_failed" });
    }
  });

  it("names what stands in place of a source's folder or of a shelf, and lists the others", async () => {
    const folder = join(await makeTemporaryFolder(), "sources");
    const [first = "", second = "", third = ""] = await fill(folder);
    const place = join(folder, first.slice(0, 2), first);
    const shelf = join(folder, second.slice(0, 2));
    await rm(place, { recursive: true });
    await writeFile(place, "a file");
    await rm(shelf, { recursive: true });
    await writeFile(shelf, "a file");
    const damaged: string[] = [];
    expect((await openStore(folder, damaged).newest(10)).sources.map(({ id }) => id)).toEqual([third]);
    expect(damaged).toEqual(expect.arrayContaining([join(place, "metadata.json"), shelf]));
  });

  it("keeps a source that something began to cite while it was to be removed", async () => {
    const folder = join(await makeTemporaryFolder(), "sources");
    const [first = "", second = ""] = await fill(folder);
    const store = openStore(folder);
    const began = new Date(Date.now() - 5_000);
    await store.keepText(first);
    expect(await store.remove(first, began)).toBe(false);
    const longAgo = new Date(began.getTime() - 1_000_000);
    await utimes(join(folder, first.slice(0, 2), first, "text.md"), longAgo, longAgo);
    await store.keepText(first);
    expect(await store.remove(first, began)).toBe(false);
    expect(await store.remove(second, began)).toBe(true);
    expect((await store.newest(10)).total).toBe(2);
  });
});
