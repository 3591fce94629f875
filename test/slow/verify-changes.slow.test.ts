import { afterAll, beforeAll, expect, it } from "vitest";
import { findMissedChanges, prepareRun, type PreparedRun } from "../contract/report/prepared-run.ts";

let run: PreparedRun;
beforeAll(async () => {
  run = await prepareRun();
}, 120_000);
afterAll(() => run.remove());

it(
  "finds each of 10,000 random single-character changes to journal, quotes, sources, plans, notes and report",
  { timeout: 900_000 },
  async () => {
    expect(await findMissedChanges(run, 10_000, 8)).toEqual([]);
  },
);
