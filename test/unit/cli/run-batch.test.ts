import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { BatchItem } from "../../../src/cli/batch/batch-line.ts";
import type { BatchResult } from "../../../src/cli/batch/batch-result.ts";
import { BatchStore } from "../../../src/cli/batch/batch-store.ts";
import { runBatch } from "../../../src/cli/batch/run-batch.ts";
import type { BatchOptions } from "../../../src/cli/commands/options.ts";
import type { Project } from "../../../src/cli/project/project.ts";
import { takeLock } from "../../../src/engine/journal/lock.ts";
import { systemClock } from "../../../src/engine/system-clock.ts";
import { FactList, QUESTION, wholeRun } from "./a-run.ts";
import { putRun } from "./run-on-disk.ts";
import { testIo } from "./test-io.ts";
import { testFolder } from "./test-project.ts";

const item = (id: string, sets: BatchItem["sets"] = {}): BatchItem => ({ id, line: 1, question: QUESTION, sets });
const runNamed = (name: string): string => `20260301-120000-${name}-ab12`;

/** A run that has spent so much, and was left at work. */
const begun = (usd = 0): FactList => new FactList().start().spawn("root", "Supervisor").answer("root", 0, usd);

const waiting = (usd = 0): FactList =>
  begun(usd).add("gate_opened", { gate: "g", agent: "root", call: "c", prompt: "Which?", options: [], allowed_events: ["ANSWER"] });

/** A run that has an answer, and had five dollars where more would have helped. */
const capped = (): FactList =>
  begun(5)
    .add("run_stopping", { reason: "budget_exhausted", detail: "5 dollars" })
    .finish("root")
    .add("report_written", { by: "supervisor", path: "report.md", sha256: "0".repeat(64), refused: 0, answered: true })
    .add("run_finished", { state: "completed", reason: "budget_exhausted", detail: "5 dollars", answered: true });

const REPORT = JSON.stringify({ opening: { answer: { text: "It does." }, confidence: "high", counts: { verdicts: [] } } });

describe("a batch that is called again", () => {
  let project: Project;
  let store: BatchStore;
  beforeEach(async () => {
    const root = testFolder();
    project = { root, state: join(root, ".hypo") };
    store = await BatchStore.open(project, join(root, "q.txt"));
    onTestFinished(() => store.close());
  });

  /** Gives an item the run of these facts, with a report. */
  async function give(id: string, list: FactList): Promise<string> {
    const folder = await putRun(project.root, runNamed(id), list);
    writeFileSync(join(folder, "report.json"), REPORT);
    await store.assign(item(id), runNamed(id));
    return folder;
  }

  async function again(items: readonly BatchItem[], maxCost?: number, signal = new AbortController().signal): Promise<BatchResult[]> {
    const results: BatchResult[] = [];
    const options = {
      debug: false,
      maxCost,
      concurrency: 2,
      requirement: "any",
      acceptChanges: false,
      context: [],
    } as unknown as BatchOptions;
    const onEnd = (result: BatchResult): void => void results.push(result);
    await runBatch({
      items,
      usualCap: 5,
      options,
      project,
      store,
      io: testIo({ cwd: project.root }),
      signal,
      onStart: () => undefined,
      onEnd,
    });
    return results.toSorted((a, b) => a.id.localeCompare(b.id));
  }

  it("tells a run whose report or journal cannot be read, keeps its id, and goes on with the others", async () => {
    writeFileSync(join(await give("a", wholeRun()), "report.json"), "{}");
    const journal = join(await give("b", wholeRun()), "journal.jsonl");
    rmSync(journal);
    mkdirSync(journal);
    await give("c", wholeRun());
    expect(await again(["a", "b", "c"].map((id) => item(id)))).toMatchObject([
      { id: "a", status: "failed", run: runNamed("a"), usd: 0.25, error: { code: "run_damaged" } },
      { id: "b", status: "failed", run: runNamed("b"), error: { code: "run_damaged" } },
      { id: "c", status: "answered", answer: "It does." },
    ]);
  });

  it("tells a run whose process cannot be started, and goes on with the others", async () => {
    await give("a", begun(0.5));
    mkdirSync(join(store.folder, `${runNamed("a")}.log`));
    await give("b", wholeRun());
    expect(await again([item("a"), item("b")])).toMatchObject([
      { id: "a", status: "failed", run: runNamed("a"), usd: 0.5, error: { code: "storage_failed" } },
      { id: "b", status: "answered" },
    ]);
  });

  it("counts what runs have spent whose lines were removed or renamed", async () => {
    await give("a", begun(6));
    expect(await again([item("renamed")], 6)).toMatchObject([{ status: "skipped", detail: expect.stringContaining("--max-cost") }]);
  });

  it("counts a run that cannot be read with all that it may have spent", async () => {
    const journal = join(await give("a", wholeRun()), "journal.jsonl");
    rmSync(journal);
    mkdirSync(journal);
    expect(await again([item("a"), item("b")], 5)).toMatchObject([{ status: "failed" }, { status: "skipped" }]);
    expect(await again([item("b")], 5)).toMatchObject([{ status: "skipped" }]);
  });

  it("says that money is missing for a run that was interrupted, and that a run waits for a person where it does", async () => {
    await give("a", begun(2));
    await give("b", waiting());
    expect(await again([item("a"), item("b")], 2)).toMatchObject([
      { status: "skipped", detail: expect.stringContaining("--max-cost"), run: runNamed("a"), usd: 2 },
      { status: "waiting", detail: "Which?", run: runNamed("b") },
    ]);
  });

  it("keeps what is known of its runs where it is asked to end before it comes to them", async () => {
    await give("a", begun());
    await give("b", waiting());
    await give("c", capped());
    expect(await again([item("a"), item("b"), item("c", { max_cost: 9 }), item("d")], undefined, AbortSignal.abort())).toMatchObject([
      { status: "interrupted" },
      { status: "waiting" },
      { status: "answered", reached: true },
      { status: "interrupted", run: null },
    ]);
  });

  it("ends at once where it is asked to while it waits for runs that are being saved", async () => {
    for (const id of ["a", "b"]) {
      const lock = await takeLock(await give(id, begun()), { clock: systemClock });
      onTestFinished(() => lock.release());
    }
    const asked = Date.now();
    expect(await again([item("a"), item("b")], undefined, AbortSignal.timeout(300))).toMatchObject([
      { status: "interrupted" },
      { status: "interrupted" },
    ]);
    expect(Date.now() - asked).toBeLessThan(4000);
  });
});
