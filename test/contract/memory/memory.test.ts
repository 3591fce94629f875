import fs from "node:fs";
import { link, mkdir, readdir, rename, stat, symlink, unlink, utimes, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { sha256 } from "../../../src/domain/hash.ts";
import { makeFinding } from "../../unit/memory/findings.ts";
import { makeTemporaryMemory, noteFile, type TemporaryMemory } from "./temporary-memory.ts";

let store: TemporaryMemory;
beforeEach(async () => {
  store = await makeTemporaryMemory();
});
afterEach(() => store.remove());

const idsFor = async (text: string, hide?: { run: string; agents: string[] }) =>
  (await store.memory.search({ text, limit: 50, hide })).map(({ id }) => id).toSorted();

describe("writing", () => {
  it("stores a finding in one file that search finds at once", async () => {
    const note = store.memory.noteFor(makeFinding());
    await store.memory.write(note);
    expect(await store.get(note.path)).toBe(note.text);
    expect((await stat(join(store.folder, "memory", note.path))).mode & 0o777).toBe(0o600);
    expect(await store.memory.read("f-0123456789")).toEqual(note);
    expect(await store.memory.search({ text: "caches latency", limit: 5 })).toEqual([
      {
        id: "f-0123456789",
        type: "fact",
        status: "observed",
        title: "Caching halves the latency",
        snippet: "A shared **cache** halves the median **latency** of reads.",
        path: note.path,
        run: "20261130-101500-does-caching-help-1a2b",
        created: "2026-11-30T10:20:00.000Z",
        score: expect.any(Number),
        related: [],
      },
    ]);
    expect(store.said).toEqual([]);
  });

  it("changes nothing when the same note is written again", async () => {
    const note = store.memory.noteFor(makeFinding());
    await store.memory.write(note);
    const before = await stat(join(store.folder, "memory", note.path), { bigint: true });
    await store.memory.write(note);
    await store.reopen().write(note);
    expect(await stat(join(store.folder, "memory", note.path), { bigint: true })).toEqual(before);
    expect(await readdir(join(store.folder, "memory/findings"))).toHaveLength(1);
  });

  it("keeps a person's edit of a published note, and says so", async () => {
    const note = store.memory.noteFor(makeFinding());
    await store.memory.write(note);
    const edited = note.text.replace("halves", "nearly halves");
    await store.put(note.path, edited);
    await store.memory.write(note);
    expect(await store.get(note.path)).toBe(edited);
    expect(store.said).toEqual([`memory/${note.path} was edited since it was published; the edit is kept.`]);
  });

  it("writes a note over what it wrote there before, and over nothing else", async () => {
    const first = store.memory.noteFor(makeFinding());
    const later = { path: first.path, text: first.text.replace("halves", "nearly halves") };
    await store.memory.write(first);
    await store.memory.write(later, [sha256(first.text)]);
    expect(await store.get(first.path)).toBe(later.text);
    const edited = later.text.replace("nearly", "hardly");
    await store.put(first.path, edited);
    await store.memory.write(first, [sha256(first.text), sha256(later.text)]);
    expect(await store.get(first.path)).toBe(edited);
  });

  it("does not write a second file for a note that was renamed by hand", async () => {
    const note = store.memory.noteFor(makeFinding());
    await store.memory.write(note);
    await rename(join(store.folder, "memory", note.path), join(store.folder, "memory/findings/caching.md"));
    await store.memory.write(note);
    expect(await readdir(join(store.folder, "memory/findings"))).toEqual(["caching.md"]);
    expect(await store.memory.read("f-0123456789")).toEqual({ path: "findings/caching.md", text: note.text });
  });

  it("writes a note where a person put it: in a folder of their own, by a name of their own", async () => {
    const note = store.memory.noteFor(makeFinding());
    await store.memory.write(note);
    const moved = `findings/to read/Caching: ${"why ".repeat(48)}.md`;
    await mkdir(join(store.folder, "memory/findings/to read"));
    await rename(join(store.folder, "memory", note.path), join(store.folder, "memory", moved));
    await store.memory.write(note);
    const later = note.text.replace("halves", "nearly halves");
    await store.memory.write({ path: note.path, text: later }, [sha256(note.text)]);
    expect(await store.get(moved)).toBe(later);
    expect(await readdir(join(store.folder, "memory/findings"))).toEqual(["to read"]);
  });

  it("never overwrites a note that was broken by hand", async () => {
    const note = store.memory.noteFor(makeFinding());
    await store.put(note.path, "---\nid: [\n---\n");
    await store.memory.write(note);
    expect(await store.get(note.path)).toBe("---\nid: [\n---\n");
  });

  it.each([
    "../outside.md",
    "findings/../../x.md",
    "findings/a/b.md",
    "elsewhere/a.md",
    "findings/.hidden.md",
    "findings/a.txt",
    "findings/a\\b.md",
  ])("refuses the path %s", async (path) => {
    await expect(store.memory.write({ path, text: noteFile("f-1", "x") })).rejects.toMatchObject({ code: "path_refused" });
  });

  it("refuses a text that is no note", async () => {
    await expect(store.memory.write({ path: "findings/a.md", text: "# No frontmatter" })).rejects.toMatchObject({ code: "note_broken" });
  });

  it("does not write through a folder that is a link out of memory", async () => {
    await mkdir(join(store.folder, "memory"), { recursive: true });
    await mkdir(join(store.folder, "outside"));
    await symlink(join(store.folder, "outside"), join(store.folder, "memory/findings"));
    await expect(store.memory.write(store.memory.noteFor(makeFinding()))).rejects.toMatchObject({ code: "path_refused" });
    expect(await readdir(join(store.folder, "outside"))).toEqual([]);
  });
});

describe("following the files", () => {
  it("does not look at every file of many again for each note that hypo writes", async () => {
    for (let place = 0; place < 600; place++) await store.put(`findings/n-${place}.md`, noteFile(`n-${place}`, "Owls hunt at night"));
    await idsFor("owl");
    const looks = vi.spyOn(fs, "readdirSync");
    syncBuiltinESMExports();
    onTestFinished(() => {
      looks.mockRestore();
      syncBuiltinESMExports();
    });
    for (let place = 0; place < 20; place++) {
      await store.memory.write({ path: `findings/w-${place}.md`, text: noteFile(`w-${place}`, `Written ${place}`) });
      expect(await idsFor(`written ${place}`)).toContain(`w-${place}`);
    }
    expect(looks.mock.calls.length).toBeLessThan(20);
  });

  it("finds a note among many that was moved just now, and writes no second file of it", async () => {
    for (let place = 0; place < 600; place++) await store.put(`findings/n-${place}.md`, noteFile(`n-${place}`, "Owls hunt at night"));
    await idsFor("owl");
    const [first, later] = ["Owls", "Bats"].map((text) => noteFile("f-1", text));
    await store.memory.write({ path: "findings/owls-f-1.md", text: first ?? "" });
    let place = "findings/owls-f-1.md";
    for (const folder of ["mine", "yours"]) {
      const moved = `findings/${folder}/f-1.md`;
      await mkdir(join(store.folder, "memory/findings", folder));
      await rename(join(store.folder, "memory", place), join(store.folder, "memory", moved));
      expect(await store.memory.read("f-1")).toEqual({ path: moved, text: first });
      place = moved;
    }
    await rename(join(store.folder, "memory", place), join(store.folder, "memory/lessons.md"));
    await store.put("findings/f-1.md", first ?? "");
    await store.memory.write({ path: "findings/owls-f-1.md", text: later ?? "" }, [sha256(first ?? "")]);
    expect(await store.get("findings/f-1.md")).toBe(later);
    expect(await readdir(join(store.folder, "memory/findings"))).not.toContain("owls-f-1.md");
  });

  it("sees files that are added, changed, renamed and removed", async () => {
    await store.put("findings/a.md", noteFile("f-1", "Owls hunt at night"));
    expect(await idsFor("owl")).toEqual(["f-1"]);
    await store.put("findings/a.md", noteFile("f-1", "Bats hunt at night"));
    expect(await idsFor("owl")).toEqual([]);
    expect(await idsFor("bat")).toEqual(["f-1"]);
    await mkdir(join(store.folder, "memory/lessons"));
    await rename(join(store.folder, "memory/findings/a.md"), join(store.folder, "memory/lessons/b.md"));
    expect((await store.memory.read("f-1"))?.path).toBe("lessons/b.md");
    await unlink(join(store.folder, "memory/lessons/b.md"));
    expect(await idsFor("bat")).toEqual([]);
    expect(await store.memory.read("f-1")).toBeUndefined();
  });

  it("sees an edit of the same size and time", async () => {
    await store.put("findings/a.md", noteFile("f-1", "cats"));
    const time = new Date("2026-01-01");
    await utimes(join(store.folder, "memory/findings/a.md"), time, time);
    expect(await idsFor("cats")).toEqual(["f-1"]);
    await store.put("findings/a.md", noteFile("f-1", "dogs"));
    await utimes(join(store.folder, "memory/findings/a.md"), time, time);
    expect(await idsFor("dogs")).toEqual(["f-1"]);
  });

  it("reads notes in folders of a person's own making, and leaves other files alone", async () => {
    await store.put("findings/2026/deep/a.md", noteFile("f-1", "owls"));
    await store.put("findings/README.md", "# Read me");
    await store.put("findings/.draft.md", "x");
    await store.put("findings/notes.txt", "x");
    await store.put("elsewhere/b.md", noteFile("f-2", "owls"));
    expect(await store.memory.check()).toEqual({ notes: 1, broken: [], dangling: [], rules: [], edited: [] });
  });
});

describe("broken notes", () => {
  it.each([
    ["bad YAML", "---\nid: f-1\ntags: [a\n---\n", 4, /not valid YAML/],
    ["no id", "---\ntype: fact\n---\n", 1, /no `id`/],
    ["merge conflict markers", "---\nid: f-1\n---\n\n<<<<<<< ours\nowls\n=======\nbats\n>>>>>>> theirs\n", 5, /merge conflict/],
    ["bytes that are not UTF-8", Buffer.concat([Buffer.from("---\nid: f-1\n---\n"), Buffer.from([0x6f, 0xff, 0x0a])]), 4, /not UTF-8/],
    ["UTF-16", Buffer.from("\ufeff---\nid: f-1\n---\n", "utf16le"), 1, /not UTF-8/],
    ["a zero byte", "---\nid: f-1\n---\nowls\0\n", 4, /zero byte/],
    ["far too many bytes", Buffer.alloc(50_000_000, "owls "), 1, /50000000 bytes/],
    ["nothing in it", "", 1, /begin with/],
  ])("with %s are reported with their line, skipped, and left as they are", async (_, content, line, message) => {
    await store.put("findings/a.md", content);
    await store.put("findings/b.md", noteFile("f-9", "owls"));
    expect(await idsFor("owls")).toEqual(["f-9"]);
    expect(await store.memory.check()).toEqual({
      notes: 1,
      broken: [{ path: "findings/a.md", line, message: expect.stringMatching(message) }],
      dangling: [],
      rules: [],
      edited: [],
    });
    expect(Buffer.from(content).byteLength).toBe((await stat(join(store.folder, "memory/findings/a.md"))).size);
  });

  it("are notes again once they are mended", async () => {
    await store.put("findings/a.md", "---\nid: [\n---\n");
    expect((await store.memory.check()).broken).toHaveLength(1);
    await store.put("findings/a.md", noteFile("f-1", "owls"));
    expect(await store.memory.check()).toEqual({ notes: 1, broken: [], dangling: [], rules: [], edited: [] });
  });

  it("with an id that another note has are named, and the one named after the id stays", async () => {
    await store.put("findings/a copy.md", noteFile("f-1", "owls"));
    await store.put("findings/owls-f-1.md", noteFile("f-1", "owls"));
    expect((await store.memory.search({ text: "owls", limit: 9 })).map(({ path }) => path)).toEqual(["findings/owls-f-1.md"]);
    expect((await store.memory.check()).broken).toEqual([
      { path: "findings/a copy.md", line: 2, message: expect.stringContaining("findings/owls-f-1.md") },
    ]);
    await unlink(join(store.folder, "memory/findings/owls-f-1.md"));
    expect(await idsFor("owls")).toEqual(["f-1"]);
  });

  it("that are links are refused, wherever they lead", async () => {
    await writeFile(join(store.folder, "secret.md"), noteFile("f-1", "owls"));
    await mkdir(join(store.folder, "outside"));
    await writeFile(join(store.folder, "outside/b.md"), noteFile("f-2", "owls"));
    await store.put("findings/real.md", noteFile("f-3", "owls"));
    const place = (name: string) => join(store.folder, "memory/findings", name);
    await symlink(join(store.folder, "secret.md"), place("a.md"));
    await symlink(join(store.folder, "outside"), place("b"));
    await symlink(place("real.md"), place("c.md"));
    await symlink(place("nothing.md"), place("d.md"));
    await link(place("real.md"), place("e.md"));
    expect(await idsFor("owls")).toEqual(["f-3"]);
    const { broken } = await store.memory.check();
    expect(broken.map(({ path, message }) => [path, message])).toEqual([
      ["findings/a.md", expect.stringContaining("leaves memory/")],
      ["findings/b", expect.stringContaining("leaves memory/")],
      ["findings/c.md", expect.stringContaining("findings/real.md")],
      ["findings/d.md", expect.stringContaining("nowhere")],
      ["findings/real.md", expect.stringContaining("also that of findings/e.md")],
    ]);
  });

  it("do not include notes whose relations lead nowhere, which are named beside them", async () => {
    await store.put(
      "findings/a.md",
      noteFile("f-1", "owls", "related:\n  - { kind: supports, to: f-2 }\n  - { kind: refines, to: f-1 }\n"),
    );
    expect(await store.memory.check()).toEqual({
      notes: 1,
      broken: [],
      dangling: [{ path: "findings/a.md", id: "f-1", kind: "supports", to: "f-2" }],
      rules: [],
      edited: [],
    });
  });
});
