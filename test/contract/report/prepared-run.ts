import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { isRunId } from "../../../src/domain/ids.ts";
import type { DivergenceKind, Verification } from "../../../src/engine/verify/divergence.ts";
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
  verify: () => Promise<Verification>;
  remove: () => Promise<void>;
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
  const id = (await readdir(join(state, "runs"))).find(isRunId) ?? "";
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
        ports: {
          sources: openSourceStore(join(state, "sources"), { deriver }),
          memory,
          criteria: createCriteria(),
          report: createReportWriter(),
        },
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

/** A file of a prepared run, and the divergence that a change of it shows as. */
interface Target {
  path: string;
  kind: DivergenceKind;
  where: string;
  /** What cannot be checked while another of the group is changed is changed alone. */
  group: string;
}

/** Everything in a run that a change has to be found in, but its journal. */
export async function listTargets({ state, folder }: PreparedRun): Promise<Target[]> {
  const names = (await readdir(state, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(state, join(entry.parentPath, entry.name)));
  const under = (pattern: RegExp, kind: DivergenceKind, whereOf: (name: string) => string = (name) => name): Target[] =>
    names
      .filter((name) => pattern.test(name))
      .map((name) => ({
        path: join(state, name),
        kind,
        where: whereOf(name),
        group: /^experiments\/[^/]+\/executions\/\d+/.exec(name)?.[0] ?? name,
      }));
  const sourceOf = (name: string): string => `source ${(name.split("/")[2] ?? "").slice(0, 12)}`;
  const reports = ["report.md", "report.json"].map((name) => ({
    path: join(folder, name),
    kind: "report_changed" as const,
    where: name,
    group: name,
  }));
  return [
    ...under(/^sources\/.*\/original$/, "source_changed", sourceOf),
    ...under(/^sources\/.*\/text\.md$/, "text_changed", sourceOf),
    ...under(/^memory\/.*\.md$/, "note_edited"),
    ...under(/^experiments\/[^/]+\/(?:plan|data-manifest)\.json$/, "plan_changed"),
    ...under(/^experiments\/.*\/result\.json$/, "result_changed"),
    ...under(/^experiments\/[^/]+\/reviews\/./, "review_changed"),
    ...under(/^experiments\/.*\/source\//, "code_changed", (name) => name.replace(/\/source\/.*/, "/source/")),
    ...under(/^experiments\/.*\/artifacts\/./, "artifact_changed"),
    ...reports,
  ];
}

interface Change extends Omit<Target, "group"> {
  original: Buffer;
  what: string;
}

/** Changes one character of a file to another. */
async function changeCharacter(target: Omit<Target, "group">, random: () => number): Promise<Change> {
  const original = await readFile(target.path);
  const characters = Array.from(original.toString("utf8"));
  const at = Math.floor(random() * characters.length);
  const before = characters[at] ?? "";
  const pool = Array.from("abcxyzABC0123456789 .,;:-_'\"{}[]\\/\néß→𝛼").filter((character) => character !== before);
  const after = pool[Math.floor(random() * pool.length)] ?? "";
  characters[at] = after;
  await writeFile(target.path, characters.join(""));
  const line = characters.slice(0, at).filter((character) => character === "\n").length + 1;
  const where = target.kind === "journal_damaged" ? `journal.jsonl:${line}` : target.where;
  return { ...target, where, original, what: `${target.path}: character ${at}, ${JSON.stringify(before)} to ${JSON.stringify(after)}` };
}

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Makes so many random changes of single characters and gives those that a verification did not name at their place.
 * Files that are checked independently are changed together, one character each; the journal is changed alone.
 */
export async function findMissedChanges(run: PreparedRun, count: number, seed: number): Promise<string[]> {
  const random = seeded(seed);
  const targets = await listTargets(run);
  const journal = { path: join(run.folder, "journal.jsonl"), kind: "journal_damaged", where: "" } as const;
  const missed: string[] = [];
  for (let done = 0, round = 0; done < count; round += 1) {
    const groups = [...Map.groupBy(targets, ({ group }) => group).values()];
    const chosen = round % 2 === 0 ? [journal] : groups.flatMap((group) => group[Math.floor(random() * group.length)] ?? []);
    const changes: Change[] = [];
    for (const target of chosen) changes.push(await changeCharacter(target, random));
    const { divergences } = await run.verify();
    const isFound = ({ kind, where }: Change): boolean => divergences.some((each) => each.kind === kind && each.where === where);
    missed.push(...changes.filter((change) => !isFound(change)).map(({ what }) => what));
    for (const { path, original } of changes) await writeFile(path, original);
    done += changes.length;
  }
  return missed;
}
