import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunId } from "../../../src/domain/ids.ts";
import type { Verification } from "../../../src/engine/verify/divergence.ts";
import { verifyRun } from "../../../src/engine/verify/verify-run.ts";
import { createTextDeriver } from "../../../src/gateway/extract/derive-text.ts";
import { openSourceStore } from "../../../src/gateway/index.ts";
import { openMemory } from "../../../src/memory/index.ts";
import { createReportWriter } from "../../../src/report/index.ts";
import { createCriteria } from "../../../src/sandbox/index.ts";
import { sha256 } from "../../../src/domain/hash.ts";
import { withProject } from "../../support/hypo.ts";

/** A finished rehearsal run in a folder of the test's own. */
export interface PreparedRun {
  /** The `.hypo` folder. */
  state: string;
  id: string;
  /** Its run folder. */
  folder: string;
  verify(): Promise<Verification>;
  remove(): Promise<void>;
}

/** Runs `hypo demo` with the real binary and keeps what it left. */
export async function prepareRun(): Promise<PreparedRun> {
  const base = await mkdtemp(join(tmpdir(), "hypo-verify-"));
  const state = join(base, ".hypo");
  await withProject(async (project) => {
    const ended = await project.hypo(["demo"]);
    if (ended.code !== 0) throw new Error(`hypo demo ended with ${ended.code}: ${ended.stderr}`);
    await cp(join(project.folder, "hypo-demo", ".hypo"), state, { recursive: true });
  });
  const [id = ""] = (await readdir(join(state, "runs"))).filter(isRunId);
  const memory = openMemory({ folder: state, say: () => undefined });
  const deriver = rememberTexts(createTextDeriver());
  return {
    state,
    id,
    folder: join(state, "runs", id),
    // A store of its own each time, since a store remembers texts.
    verify: () =>
      verifyRun(id, {
        stateFolder: state,
        ports: { sources: openSourceStore(join(state, "sources"), { deriver }), memory, criteria: createCriteria(), report: createReportWriter() },
      }),
    async remove() {
      await Promise.all([memory.close(), deriver.close()]);
      await rm(base, { recursive: true, force: true });
    },
  };
}

type Deriver = ReturnType<typeof createTextDeriver>;

/** The same bytes give the same text, so that thousands of verifications derive each text once. */
function rememberTexts(deriver: Deriver): Deriver {
  const made = new Map<string, ReturnType<Deriver["derive"]>>();
  return {
    ...deriver,
    derive(job, signal) {
      const key = `${sha256(job.bytes)} ${job.mime} ${job.kind} ${job.url}`;
      const text = made.get(key) ?? deriver.derive(job, signal);
      made.set(key, text);
      return text;
    },
  };
}

/** Files of a prepared run by what they are, and the kinds of divergence a change to each may show as. */
export async function listTargets({ state, folder }: PreparedRun): Promise<{ path: string; kinds: string[] }[]> {
  const names = (await readdir(state, { recursive: true })).filter((name) => !name.startsWith("runs/"));
  const under = (pattern: RegExp): string[] => names.filter((name) => pattern.test(name)).map((name) => join(state, name));
  const targets = (paths: string[], ...kinds: string[]) => paths.map((path) => ({ path, kinds }));
  return [
    ...targets([join(folder, "journal.jsonl")], "journal_damaged"),
    ...targets(under(/^sources\/.*\/original$/), "source_changed"),
    ...targets(under(/^sources\/.*\/text\.md$/), "text_changed"),
    ...targets(under(/^memory\/.*\.md$/), "note_edited"),
    ...targets(under(/^experiments\/[^/]+\/(?:plan|data-manifest)\.json$/), "plan_changed"),
    ...targets(under(/^experiments\/.*\/result\.json$/), "result_changed"),
    ...targets(under(/^experiments\/.*\/source\//), "code_changed"),
    ...targets(under(/^experiments\/.*\/artifacts\/./), "artifact_changed"),
    ...targets([join(folder, "report.md"), join(folder, "report.json")], "report_changed"),
  ];
}

/** Changes one character of a file to another, lets `use` look, and restores the file. */
export async function withChange<T>(path: string, random: () => number, use: (change: string) => Promise<T>): Promise<T> {
  const original = await readFile(path);
  const characters = Array.from(original.toString("utf8"));
  const at = Math.floor(random() * characters.length);
  const before = characters[at] ?? "";
  const pool = Array.from("abcxyzABC0123456789 .,;:-_'\"{}[]\\/\néß→𝛼").filter((character) => character !== before);
  const after = pool[Math.floor(random() * pool.length)] ?? "";
  characters[at] = after;
  await writeFile(path, characters.join(""));
  try {
    return await use(`${path}: character ${at}, ${JSON.stringify(before)} to ${JSON.stringify(after)}`);
  } finally {
    await writeFile(path, original);
  }
}

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes so many changes, one after the other, and gives those that a verification did not find. */
export async function findMissedChanges(run: PreparedRun, count: number, seed: number): Promise<string[]> {
  const random = seeded(seed);
  const targets = await listTargets(run);
  const missed: string[] = [];
  for (let done = 0; done < count; done += 1) {
    const target = targets[Math.floor(random() * targets.length)];
    if (target === undefined) throw new Error("the run has no files");
    await withChange(target.path, random, async (change) => {
      const { divergences } = await run.verify();
      if (!divergences.some(({ kind }) => target.kinds.includes(kind))) missed.push(change);
    });
  }
  return missed;
}
