import { execFile } from "node:child_process";
import { appendFile, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findMissedChanges, listTargets, prepareRun, type PreparedRun } from "./prepared-run.ts";

let run: PreparedRun;
beforeAll(async () => {
  run = await prepareRun();
}, 120_000);
afterAll(() => run.remove());

/** Replaces a file for the time of a test. */
async function withFile<T>(path: string, change: (text: string) => string, use: () => Promise<T>): Promise<T> {
  const original = await readFile(path);
  await writeFile(path, change(original.toString("utf8")));
  try {
    return await use();
  } finally {
    await writeFile(path, original);
  }
}

async function makePipe(path: string): Promise<void> {
  await promisify(execFile)("mkfifo", [path]);
}

async function pathOf(pattern: RegExp): Promise<string> {
  const path = (await listTargets(run)).map((target) => target.path).find((each) => pattern.test(each));
  if (path === undefined) throw new Error(`no file like ${String(pattern)}`);
  return path;
}

describe("verifying a run", () => {
  it("finds nothing in a run that nobody touched, and says how much it checked", async () => {
    const { divergences, notes, checked } = await run.verify();
    expect(divergences).toEqual([]);
    expect(notes).toEqual([]);
    expect(checked).toMatchObject({ specs: 6, sources: 3, quotes: 3, plans: 1, executions: 1 });
    expect(checked.claims).toBeGreaterThan(2);
  });

  it("finds 250 random changes of single characters, wherever they are made", { timeout: 60_000 }, async () => {
    expect(await findMissedChanges(run, 250, 20_261_130)).toEqual([]);
  });

  it("lists every damaged line of the journal with its line and byte, and goes on behind them", async () => {
    const damage = (text: string): string => {
      const lines = text.split("\n");
      for (const at of [3, 9]) lines[at] = (lines[at] ?? "").replace(/"at":"2/, '"at":"3');
      return lines.join("\n");
    };
    const { divergences } = await withFile(join(run.folder, "journal.jsonl"), damage, run.verify);
    expect(divergences.filter(({ kind }) => kind === "journal_damaged")).toEqual([
      {
        kind: "journal_damaged",
        where: "journal.jsonl:4",
        what: expect.stringMatching(/^Byte \d+: its check sum does not match\.$/) as string,
      },
      { kind: "journal_damaged", where: "journal.jsonl:10", what: expect.stringMatching(/^Byte \d+:/) as string },
    ]);
  });

  it("finds a line taken out of the journal", async () => {
    const { divergences } = await withFile(
      join(run.folder, "journal.jsonl"),
      (text) => text.split("\n").toSpliced(20, 1).join("\n"),
      run.verify,
    );
    expect(divergences[0]).toMatchObject({ kind: "journal_damaged", where: "journal.jsonl:21" });
  });

  it("shows a note edited by hand with the claims that rest on the edited part", async () => {
    const note = await pathOf(/memory\/findings\//);
    const { divergences } = await withFile(note, (text) => text.replace(/## Statement\n\n/, "$&Perhaps. "), run.verify);
    expect(divergences).toHaveLength(1);
    expect(divergences[0]).toMatchObject({ kind: "note_edited", what: "Edited since published: Statement." });
    expect(divergences[0]?.claims?.[0]).toMatch(/^f-/);
  });

  it("flags no claim for an edit that nothing rests on", async () => {
    const note = await pathOf(/memory\/findings\//);
    const { divergences } = await withFile(note, (text) => `${text}\n## Remarks\n\nMine.\n`, run.verify);
    expect(divergences).toMatchObject([{ kind: "note_edited", what: "Edited since published: Remarks.", claims: [] }]);
  });

  it("does not mind a note that was renamed", async () => {
    const note = await pathOf(/memory\/findings\//);
    const renamed = note.replace(/\/[^/]+$/, "/renamed.md");
    await rename(note, renamed);
    try {
      expect((await run.verify()).divergences).toEqual([]);
    } finally {
      await rename(renamed, note);
    }
  });

  it.each([
    [/sources\/.*original$/, "source_missing"],
    [/plan\.json$/, "plan_changed"],
    [/result\.json$/, "result_changed"],
    [/memory\/findings\//, "note_missing"],
    [/report\.md$/, "report_changed"],
    [/reviews\//, "review_changed"],
  ])("misses a file that was removed: %s", async (pattern, kind) => {
    const path = await pathOf(pattern);
    const original = await readFile(path);
    await rm(path);
    try {
      expect((await run.verify()).divergences.map((each) => each.kind)).toContain(kind);
    } finally {
      await writeFile(path, original);
    }
  });

  it.each([
    ["a folder", /plan\.json$/, "plan_changed", (path: string) => mkdir(path)],
    ["a folder", /result\.json$/, "result_changed", (path: string) => mkdir(path)],
    ["a folder", /artifacts\//, "artifact_changed", (path: string) => mkdir(path)],
    ["a folder", /memory\/findings\//, "note_missing", (path: string) => mkdir(path)],
    ["a link that leads in a circle", /reviews\//, "review_changed", (path: string) => symlink(path, path)],
    ["a pipe that nobody writes to", /data-manifest\.json$/, "plan_changed", (path: string) => makePipe(path)],
    ["a pipe that nobody writes to", /executions\/1\/source\//, "code_changed", (path: string) => makePipe(path)],
  ])("names %s in place of a file (%s), and checks the rest all the same", async (_what, pattern, kind, put) => {
    const path = await pathOf(pattern);
    const original = await readFile(path);
    await rm(path);
    await put(path);
    try {
      const { divergences } = await withFile(join(run.folder, "report.md"), (text) => `${text}!`, run.verify);
      expect(divergences.map((each) => each.kind)).toEqual(expect.arrayContaining([kind, "report_changed"]));
    } finally {
      await rm(path, { recursive: true });
      await writeFile(path, original);
    }
  });

  it.each([
    ["created", (text: string) => text.replace(/("created": "20)\d\d/, "$199")],
    ["created", (text: string) => text.replace(/("created": ")\d{4}/, "$11999")],
    ["origin", (text: string) => text.replace('"origin": "run"', '"origin": "rum"')],
  ])("finds a change of what only meta.json says: %s", async (_key, change) => {
    const { divergences } = await withFile(join(run.folder, "meta.json"), change, run.verify);
    expect(divergences.map(({ kind }) => kind)).toEqual(["meta_changed"]);
  });

  it("says that a report was not checked which no fact records, as where the journal was cut at the end of a line", async () => {
    const cut = (text: string): string => `${text.slice(0, text.search(/.*"report_written".*/)).trimEnd()}\n`;
    const { divergences, notes } = await withFile(join(run.folder, "journal.jsonl"), cut, run.verify);
    expect(divergences).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/no fact records the report\.md that is there, and it was not checked/)]);
  });

  it("checks quotes against text made anew from the bytes, so that a forged text beside them does not help", async () => {
    const text = await pathOf(/text\.md$/);
    const { divergences } = await withFile(text, (old) => old.toUpperCase(), run.verify);
    expect(divergences.map(({ kind }) => kind)).toEqual(["text_changed"]);
  });

  it("finds a report whose sources' metadata was made more flattering", async () => {
    const metadata = (await pathOf(/original$/)).replace(/original$/, "metadata.json");
    const { divergences } = await withFile(metadata, (text) => text.replace(/"title": "/, '"title": "Nature: '), run.verify);
    expect(new Set(divergences.map(({ kind }) => kind))).toEqual(new Set(["source_changed", "report_untraced"]));
  });

  it("finds an agent's specification that was edited, and lines added to the report", async () => {
    await withFile(
      join(run.folder, "agents", "root.1.md"),
      (text) => text.replace("may_spawn: true", "may_spawn: false"),
      async () => {
        expect((await run.verify()).divergences).toMatchObject([{ kind: "spec_changed", where: "agents/root.1.md" }]);
      },
    );
    const report = await readFile(join(run.folder, "report.md"));
    await appendFile(join(run.folder, "report.md"), "\n- And it cures colds.\n");
    try {
      expect((await run.verify()).divergences).toMatchObject([{ kind: "report_changed", where: "report.md" }]);
    } finally {
      await writeFile(join(run.folder, "report.md"), report);
    }
  });
});
