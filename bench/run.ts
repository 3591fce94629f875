/**
 * hypo beside what a person would use in its place, and beside what the machine allows:
 *
 *     npm run bench -- [--list] [--quick] [--huge] [--repetitions <n>] [<row>...]
 */
import { parseArgs } from "node:util";
import { describeMachine, describeVersions } from "./harness/machine.ts";
import { keepResults, writeReadme } from "./harness/results.ts";
import type { Row } from "./harness/row.ts";
import { runRow } from "./harness/run-row.ts";
import { textOf } from "./harness/table.ts";
import { ROWS } from "./rows/index.ts";

const LEAST_REPETITIONS = 7;
const QUICK_REPETITIONS = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    huge: { type: "boolean", default: false },
    repetitions: { type: "string" },
  },
});

if (values.list) for (const { name, title } of ROWS) console.log(`${name.padEnd(10)} ${title}`);
else await measureRows(chooseRows(positionals));

async function measureRows(rows: readonly Row[]): Promise<void> {
  const [began, machine, versions] = [new Date(), describeMachine(), describeVersions()];
  const { quick } = values;
  const repetitions = quick ? QUICK_REPETITIONS : readRepetitions();
  for (const row of rows) {
    try {
      const result = await runRow(row, { repetitions, quick, env: process.env, say: (line) => console.error(line) });
      console.log(textOf(result));
      if (quick) continue;
      keepResults(began, machine, versions, result);
      // After each row: a bench that is ended before its time has told what it measured.
      writeReadme(ROWS.map(({ name }) => name));
    } catch (error) {
      // The other rows are worth having all the same.
      console.error(error);
      process.exitCode = 1;
    }
  }
}

function chooseRows(names: readonly string[]): readonly Row[] {
  const unknown = names.find((name) => !ROWS.some((row) => row.name === name));
  if (unknown !== undefined) fail(`There is no row "${unknown}"; there are ${ROWS.map(({ name }) => name).join(", ")}.`);
  return ROWS.filter(({ name, isHuge = false }) => (names.length === 0 ? values.huge || !isHuge : names.includes(name)));
}

function readRepetitions(): number {
  const count = Number(values.repetitions ?? LEAST_REPETITIONS);
  if (Number.isInteger(count) && count >= LEAST_REPETITIONS) return count;
  return fail(
    `--repetitions takes a whole number from ${LEAST_REPETITIONS} on; --quick makes do with ${QUICK_REPETITIONS} and keeps no results.`,
  );
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
