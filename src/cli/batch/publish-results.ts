import { resolve } from "node:path";
import { isPassedOn, writeNamedOutput } from "../../files/named-output.ts";
import type { BatchOptions } from "../commands/options.ts";
import { writeErr, writeOut, type Io } from "../io.ts";
import { money } from "../output/quantities.ts";
import { plainLine } from "../output/plain-text.ts";
import type { BatchItem } from "./batch-line.ts";
import type { BatchResult } from "./batch-result.ts";
import { renderJunit } from "./junit.ts";
import { emptyResult } from "./read-item.ts";
import { renderSummary } from "./summary.ts";

/**
 * Tells the results of a batch as they come: a line each on stdout, and whole files that are written anew with each
 * result, so that they are complete and well-formed whenever the batch ends, and however. What is no file (a pipe, a
 * device) is written once, at the end.
 */
export class ResultPublisher {
  private readonly name: string;
  private readonly items: readonly BatchItem[];
  private readonly options: BatchOptions;
  private readonly io: Io;
  private readonly ended: BatchResult[] = [];
  /** How many items, from the first on, have been told in order. */
  private told = 0;
  private writing: Promise<void> = Promise.resolve();

  /** @param name what the batch is called in reports */
  constructor(name: string, items: readonly BatchItem[], options: BatchOptions, io: Io) {
    this.name = name;
    this.items = items;
    this.options = options;
    this.io = io;
  }

  /** Every item's result in the order of the file; `pending` for those that have none yet. */
  results(): BatchResult[] {
    const byId = new Map(this.ended.map((result) => [result.id, result]));
    return this.items.map((item) => byId.get(item.id) ?? emptyResult(item));
  }

  add(result: BatchResult): void {
    this.ended.push(result);
    for (const each of this.options.isOrdered ? this.nextInOrder() : [result]) this.print(each);
    void this.write().catch(() => undefined);
  }

  /** Resolves when the files hold everything so far. Throws HypoError `storage_failed`. */
  write(): Promise<void> {
    return this.writeAll({ isLast: false });
  }

  /** The same once there are no more results. Throws HypoError `storage_failed`. */
  finish(): Promise<void> {
    return this.writeAll({ isLast: true });
  }

  private async writeAll({ isLast }: { isLast: boolean }): Promise<void> {
    const results = this.results();
    const known = this.options.isOrdered ? results.filter(({ status }) => status !== "pending") : [...this.ended];
    this.writing = this.writing.catch(() => undefined).then(() => this.writeFiles(results, known, isLast));
    await this.writing;
  }

  private async writeFiles(results: readonly BatchResult[], known: readonly BatchResult[], isLast: boolean): Promise<void> {
    const { out, junit, summary } = this.options;
    const files = [
      [out, () => known.map((result) => `${JSON.stringify(result)}\n`).join("")],
      [junit, () => renderJunit(this.name, results)],
      [summary, () => renderSummary(this.name, results)],
    ] as const;
    for (const [given, render] of files) {
      if (given === undefined) continue;
      const path = resolve(this.io.cwd, given);
      if (isLast || !(await isPassedOn(path))) await writeNamedOutput(path, render());
    }
  }

  private nextInOrder(): BatchResult[] {
    const results = this.results();
    const next = results.slice(this.told);
    const gap = next.findIndex(({ status }) => status === "pending");
    const ready = gap === -1 ? next : next.slice(0, gap);
    this.told += ready.length;
    return ready;
  }

  private print(result: BatchResult): void {
    if (this.options.json) writeOut(this.io, JSON.stringify(result));
    else writeOut(this.io, plainLine(describe(result)));
  }
}

function describe({ id, status, run, usd, answer, error, detail }: BatchResult): string {
  return [id, status, run ?? "-", money(usd), error?.message ?? answer ?? detail ?? ""].join("  ");
}

/** Says at the end how many reached what was asked for. */
export function sayTotals(results: readonly BatchResult[], io: Io): void {
  const reached = results.filter((result) => result.reached).length;
  const usd = results.reduce((sum, result) => sum + result.usd, 0);
  writeErr(io, `${reached} of ${results.length} questions reached an answer; ${money(usd)} spent.`);
}
