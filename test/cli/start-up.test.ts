import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnSync } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RunEvent } from "../../src/domain/events.ts";
import { HYPO } from "../support/hypo.ts";
import { RUN, wholeRun } from "../unit/cli/a-run.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/program", import.meta.url));
const HOOK = new URL("../support/list-modules.mjs", import.meta.url).href;

interface Loaded {
  /** Packages, sorted. */
  packages: string[];
  /** Folders of dist/ that modules came from, sorted. */
  folders: string[];
  /** Languages whose stemmer was loaded, sorted. */
  stemmers: string[];
}

/** The modules that stand in each file of the bundled program. */
const bundled = (): Record<string, string[]> => JSON.parse(readFileSync(join(PROGRAM, "modules.json"), "utf8")) as Record<string, string[]>;

/** What the real binary loads for a command line. */
function loadedBy(argv: string[], cwd: string): Loaded {
  const list = join(cwd, "modules.txt");
  writeFileSync(list, "");
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, HYPO_MODULES: list };
  const { status, stderr } = spawnSync(process.execPath, ["--import", HOOK, HYPO, ...argv], { cwd, env, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const paths = readFileSync(list, "utf8")
    .split("\n")
    .filter((url) => url.startsWith("file:"))
    .map((url) => fileURLToPath(url))
    .flatMap((path) => (dirname(path) === PROGRAM ? (bundled()[basename(path)] ?? []) : [path]));
  return {
    packages: sorted(paths.flatMap((path) => path.match(/(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? [])),
    folders: sorted(paths.flatMap((path) => (path.includes("node_modules/") ? [] : (path.match(/(?:^|\/)dist\/(.+)\/[^/]+$/)?.[1] ?? [])))),
    stemmers: sorted(paths.flatMap((path) => path.match(/\/stemmers\/(.+)\.cjs$/)?.[1] ?? [])),
  };
}

const sorted = (names: string[]): string[] => [...new Set(names)].toSorted();

/** A project with a whole run and a note. */
async function project(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "hypo-start-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const run = join(root, ".hypo", "runs", RUN);
  mkdirSync(run, { recursive: true });
  writeFileSync(join(run, "meta.json"), JSON.stringify({ v: 1, run: RUN, question: "Why?", created: "2026-03-01T12:00:00.000Z" }));
  const { Journal } = await import("../../src/engine/journal/journal.ts");
  const clock = { now: () => new Date("2026-03-01T12:00:00.000Z"), monotonic: () => 0, sleep: async () => undefined };
  const journal = await Journal.create(run, { clock });
  journal.append(
    "main",
    0,
    wholeRun().facts.map(({ type, data }) => ({ type, data }) as RunEvent),
  );
  await journal.close();
  const { openMemory } = await import("../../src/memory/index.ts");
  const memory = openMemory({ folder: join(root, ".hypo"), say: () => undefined });
  await memory.add({ type: "lesson", title: "Sorting", statement: "Insertion sort makes few comparisons." }, "0123456789");
  await memory.list();
  await memory.close();
  return root;
}

/** A stored source that is not in the index yet. */
async function storeNote(root: string): Promise<void> {
  const { openSourceStore } = await import("../../src/gateway/index.ts");
  const store = openSourceStore(join(root, ".hypo", "sources"));
  const url = "https://e.org/sorting";
  const retrieval = { url, final_url: url, retrieved_at: "2026-03-01T12:00:00.000Z", status: 200, backend: "direct" };
  await store.keep({ bytes: Buffer.from("# Sorting"), mime: "text/markdown", retrieval }, AbortSignal.timeout(60_000));
  await store.close();
  rmSync(join(root, ".hypo", "sources.sqlite"));
}

describe("a command loads only what it needs", () => {
  it("the version: no package", async () => {
    const { packages, folders } = loadedBy(["--version"], await project());
    expect([packages, folders]).toEqual([[], ["cli", "cli/background", "cli/output", "domain"]]);
  });

  it("help: the definitions of the commands and nothing that does their work", async () => {
    const { packages, folders } = loadedBy(["--help"], await project());
    expect(packages).toEqual(["commander"]);
    expect(folders).toEqual(["cli", "cli/background", "cli/batch", "cli/commands", "cli/definitions", "cli/output", "domain"]);
  });

  it("completion: not even the parser", async () => {
    expect(loadedBy(["__complete", "--", "show", ""], await project()).packages).toEqual([]);
  });

  it("runs: the journal's reader, without schemas", async () => {
    const { packages, folders } = loadedBy(["runs"], await project());
    expect(packages).toEqual(["commander"]);
    expect(folders.filter((folder) => !folder.startsWith("cli"))).toEqual([
      "domain",
      "engine/journal",
      "engine/projection",
      "engine/state",
      "files",
    ]);
  });

  it("sources list: the index, without schemas, parsers of pages or the web", async () => {
    const root = await project();
    await storeNote(root);
    loadedBy(["sources", "list"], root);
    const { packages, folders } = loadedBy(["sources", "list"], root);
    expect(packages).toEqual(["better-sqlite3", "commander"]);
    expect(folders.filter((folder) => !folder.startsWith("cli"))).toEqual([
      "domain",
      "files",
      "gateway",
      "gateway/extract",
      "gateway/store",
      "gateway/store/index",
    ]);
  });

  it("memory search: the index and the stemmer of the notes' language, and neither Pi, Docker, the web nor the view", async () => {
    const { packages, folders, stemmers } = loadedBy(["memory", "search", "comparisons"], await project());
    expect(packages).toEqual(["better-sqlite3", "commander", "stopword"]);
    expect(folders.filter((folder) => !folder.startsWith("cli") && !folder.startsWith("memory"))).toEqual(["domain", "files"]);
    expect(stemmers).toEqual(["english"]);
  });
});
