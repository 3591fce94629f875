import { PassThrough } from "node:stream";
import { pack, type Headers } from "tar-stream";
import { describe, expect, it } from "vitest";
import { HypoError } from "../../../src/domain/errors.ts";
import { readArtifacts } from "../../../src/sandbox/artifacts.ts";

const MIB = 1024 * 1024;

type Entry = Headers & { content?: string };

async function readEntries(entries: Entry[], bytesMax = MIB) {
  const archive = pack();
  for (const { content = "", ...header } of entries) archive.entry(header, header.type === undefined ? content : undefined);
  archive.finalize();
  const kept = new Map<string, string>();
  const artifacts = await readArtifacts(archive, bytesMax, async (path, bytes) => {
    kept.set(path, Buffer.from(bytes).toString());
  });
  return { ...artifacts, kept };
}

describe("artefacts", () => {
  it("are kept with size and hash, in order of their names", async () => {
    const { files, kept, metrics, cut } = await readEntries([
      { name: "./", type: "directory" },
      { name: "./b.txt", content: "hello" },
      { name: "./a/deep/c.txt", content: "" },
      { name: "./metrics.json", content: "{}" },
    ]);
    expect(files.map(({ path, size }) => [path, size])).toEqual([
      ["a/deep/c.txt", 0],
      ["b.txt", 5],
      ["metrics.json", 2],
    ]);
    expect(files[1]?.sha256).toBe("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    expect(kept.get("b.txt")).toBe("hello");
    expect(Buffer.from(metrics ?? []).toString()).toBe("{}");
    expect(cut).toBeUndefined();
  });

  it.each([
    ["a symbolic link", { name: "./metrics.json", type: "symlink", linkname: "/etc/passwd" }],
    ["a hard link", { name: "./l", type: "link", linkname: "metrics.json" }],
    ["a pipe", { name: "./p", type: "fifo" }],
    ["a device", { name: "./d", type: "character-device", devmajor: 1, devminor: 3 }],
    ["the parent folder", { name: "./../x", content: "x" }],
    ["an absolute path", { name: "/etc/passwd", content: "x" }],
    ["a newline in its name", { name: "./a\nb", content: "x" }],
    ["an escape sequence in its name", { name: "./\u001b[2J", content: "x" }],
    ["a backslash in its name", { name: "./..\\x", content: "x" }],
    ["a mirrored name", { name: "./a\u202egpj.exe", content: "x" }],
    ["too many folders", { name: `./${"a/".repeat(20)}x`, content: "x" }],
    ["too long a name", { name: `./${"a".repeat(250)}`, content: "x" }],
  ] satisfies [string, Entry][])("that are %s are refused by name, and the rest is kept", async (_what, entry) => {
    const { files, kept, refused, cut } = await readEntries([entry, { name: "./z.txt", content: "kept" }]);
    expect(refused).toHaveLength(1);
    expect(files.map(({ path }) => path)).toEqual(["z.txt"]);
    expect([...kept.keys()]).toEqual(["z.txt"]);
    expect(cut).toBeUndefined();
  });

  it("with names that only look dangerous are kept", async () => {
    const { files, refused } = await readEntries([
      { name: "./__proto__", content: "a" },
      { name: "./-rf", content: "b" },
      { name: "./constructor", content: "c" },
    ]);
    expect(files.map(({ path }) => path)).toEqual(["-rf", "__proto__", "constructor"]);
    expect(refused).toEqual([]);
  });

  it("whose names differ only in case are not both kept, since some file systems cannot", async () => {
    const { kept, refused } = await readEntries([
      { name: "./Plot.png", content: "1" },
      { name: "./plot.png", content: "2" },
    ]);
    expect([...kept]).toEqual([["Plot.png", "1"]]);
    expect(refused).toEqual([{ path: "plot.png", reason: "another artefact has the same name" }]);
  });

  it.each([
    ["A", "a/b", "another artefact has the name of its folder"],
    ["a/b/c", "A/B", "a folder of other artefacts has the same name"],
  ])("of which one, %s, is where another, %s, needs a folder or a file are not both kept", async (first, second, reason) => {
    const { kept, refused } = await readEntries([
      { name: `./${first}`, content: "1" },
      { name: `./${second}`, content: "2" },
    ]);
    expect([...kept.keys()]).toEqual([first]);
    expect(refused).toEqual([{ path: second, reason }]);
  });

  it("are not read on after a header that announces more than the limit", async () => {
    const archive = pack();
    archive.entry({ name: "./a.txt" }, "kept", () => undefined);
    archive.entry({ name: "./sparse", size: 8e9 });
    const { files, refused, cut } = await readArtifacts(archive, MIB, async () => undefined);
    expect(files.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(refused).toEqual([{ path: "sparse", reason: "its 8000000000 bytes are over the limit" }]);
    expect(cut).toContain("announces 8000000000 bytes");
  });

  it("end at the limit of their total size", async () => {
    const half = "x".repeat(600_000);
    const { files, cut } = await readEntries([
      { name: "./a", content: half },
      { name: "./b", content: half },
    ]);
    expect(files.map(({ path }) => path)).toEqual(["a"]);
    expect(cut).toContain('"b" announces 600000 bytes');
  });

  it("end at the limit of their number", async () => {
    const { files, cut } = await readEntries(Array.from({ length: 4200 }, (_, index) => ({ name: `./${index}`, content: "" })));
    expect(files.length).toBe(4096);
    expect(cut).toBe("there are more than 4096 files");
  });

  it("in a damaged archive are a named problem", async () => {
    const damaged = new PassThrough();
    damaged.end(Buffer.alloc(2048, 0x41));
    const { files, cut } = await readArtifacts(damaged, MIB, async () => undefined);
    expect(files).toEqual([]);
    expect(cut).toMatch(/cannot be read/);
  });

  it("that cannot be stored are an error and no doing of the experiment", async () => {
    const archive = pack();
    archive.entry({ name: "./a" }, "x");
    archive.finalize();
    const full = new HypoError("storage_failed", "Cannot write a: the disk is full.");
    await expect(readArtifacts(archive, MIB, () => Promise.reject(full))).rejects.toBe(full);
  });

  it("whose engine goes away before their end are an error and no doing of the experiment", async () => {
    const archive = new PassThrough();
    archive.write(Buffer.alloc(100));
    const reading = readArtifacts(archive, MIB, async () => undefined);
    archive.destroy(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
    await expect(reading).rejects.toMatchObject({ code: "ECONNRESET" });
  });
});
