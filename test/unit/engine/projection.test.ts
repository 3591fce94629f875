import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/domain/events.ts";
import { Journal } from "../../../src/engine/journal/journal.ts";
import { JournalReading } from "../../../src/engine/journal/reading.ts";
import { parseMaps, stringifyMaps } from "../../../src/engine/projection/map-json.ts";
import { RunProjection } from "../../../src/engine/projection/run-projection.ts";
import { RunReader } from "../../../src/engine/projection/run-reader.ts";
import { writeSnapshot } from "../../../src/engine/projection/snapshot.ts";
import { evolve, project } from "../../../src/engine/state/evolve.ts";
import { emptyLedger, evolveLedger } from "../../../src/engine/state/ledger.ts";
import { emptyRunState } from "../../../src/engine/state/run-state.ts";
import { clock, collect, makeTestFolder } from "../journal/support.ts";
import { anyEvent, factsOf, RUN, runStarted, spawned } from "./fact-lists.ts";

type Command =
  | { do: "record"; branch: number; events: RunEvent[] }
  | { do: "fork"; at: number }
  | { do: "rewind"; branch: number; to: number }
  | { do: "snapshot" };

const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant("record" as const), branch: fc.nat(5), events: fc.array(anyEvent, { maxLength: 5 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("fork" as const), at: fc.nat(60) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("rewind" as const), branch: fc.nat(5), to: fc.nat(60) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("snapshot" as const) }) },
  ),
  { maxLength: 20 },
);

async function begin(): Promise<{ folder: string; journal: Journal }> {
  const folder = await makeTestFolder();
  const journal = await Journal.create(folder, { clock });
  await journal.append("main", 0, [runStarted(), spawned("root")]).durable;
  return { folder, journal };
}

/** Does what a command says; returns the branch that it touched. */
function apply(journal: Journal, command: Exclude<Command, { do: "snapshot" }>): string {
  const names = [...journal.heads.keys()];
  if (command.do === "fork") {
    const name = `b${names.length}`;
    void journal.moveBranch(name, 2 + (command.at % (journal.place.lineage.last - 1)), undefined, "fork");
    return name;
  }
  const branch = names[command.branch % names.length] ?? "main";
  const head = journal.head(branch);
  if (command.do === "record") void journal.append(branch, head, command.events);
  else void journal.moveBranch(branch, 2 + (command.to % (head - 1)), head, "rewind");
  return branch;
}

async function statesOf(journal: Journal) {
  const states = new Map<string, ReturnType<typeof project>>();
  for (const name of journal.heads.keys()) states.set(name, project(await collect(journal.ancestry(name))));
  return states;
}

test("whatever is recorded, forked and rewound, a projection from a snapshot equals one from zero", async () => {
  const property = fc.asyncProperty(commands, async (list) => {
    const { folder, journal } = await begin();
    for (const command of list) {
      if (command.do !== "snapshot") apply(journal, command);
      else {
        await journal.flush();
        const reading = new JournalReading(folder);
        const projection = new RunProjection();
        await reading.readOn((record) => projection.apply(record));
        await writeSnapshot(folder, RUN, reading.place, projection);
      }
    }
    await journal.flush();
    const reader = await RunReader.open(folder, RUN);
    const ledger = emptyLedger();
    for (const fact of await collect(journal.allFacts())) evolveLedger(ledger, fact);
    expect(reader.ledger).toEqual(ledger);
    expect(reader.heads).toEqual(journal.heads);
    for (const [name, state] of await statesOf(journal)) expect(await reader.state(name)).toEqual(state);
    await journal.close();
  });
  await expect(fc.assert(property, { numRuns: 30 })).resolves.toBeUndefined();
});

test("a fork or a rewind never changes the state of another branch, and undoes nothing in the ledger", async () => {
  const property = fc.asyncProperty(commands, async (list) => {
    const { journal } = await begin();
    const ledger = emptyLedger();
    for (const command of list) {
      if (command.do === "snapshot") continue;
      const before = await statesOf(journal);
      const touched = apply(journal, command);
      const after = await statesOf(journal);
      before.delete(touched);
      for (const [name, state] of before) expect(after.get(name)).toEqual(state);
      const now = emptyLedger();
      for (const fact of await collect(journal.allFacts())) evolveLedger(now, fact);
      expect(now.usd).toBeGreaterThanOrEqual(ledger.usd);
      for (const [experiment, count] of ledger.executions) expect(now.executions.get(experiment)).toBeGreaterThanOrEqual(count);
      Object.assign(ledger, now);
    }
    await journal.close();
  });
  await expect(fc.assert(property, { numRuns: 15 })).resolves.toBeUndefined();
});

test("the fold of facts is total and deterministic, and may be cut anywhere", async () => {
  const property = fc.asyncProperty(fc.array(anyEvent, { maxLength: 40 }), fc.nat(40), async (events, at) => {
    const facts = factsOf([runStarted(), spawned("root"), ...events]);
    const copy = structuredClone(facts);
    const whole = project(facts);
    expect(project(copy)).toEqual(whole);
    const state = emptyRunState();
    for (const fact of structuredClone(facts).slice(0, at)) evolve(state, fact);
    const rest = parseMaps(stringifyMaps(state)) as typeof state;
    for (const fact of structuredClone(facts).slice(at)) evolve(rest, fact);
    expect(rest).toEqual(whole);
    expect(facts).toEqual(copy);
  });
  await expect(fc.assert(property, { numRuns: 100 })).resolves.toBeUndefined();
});

test("a snapshot that does not fit the journal is not used", async () => {
  const { folder, journal } = await begin();
  await journal.close();
  const reading = new JournalReading(folder);
  const projection = new RunProjection();
  await reading.readOn((record) => projection.apply(record));
  projection.ledger.usd = 99;
  await writeSnapshot(folder, RUN, reading.place, projection);
  expect((await RunReader.open(folder, RUN)).ledger.usd).toBe(99);

  const path = join(folder, "snapshot.json");
  const good = await readFile(path, "utf8");
  const misfits = [
    good.replace(/"tail":"[^}]*\}/, '"tail":"x}'),
    good.replace(RUN, "20260301-120000-other-0001"),
    good.slice(0, 99),
    '{"shape":1}',
  ];
  for (const misfit of misfits) {
    expect(misfit).not.toBe(good);
    await writeFile(path, misfit);
    expect((await RunReader.open(folder, RUN)).ledger.usd).toBe(0);
  }
  await writeFile(path, good);
  const journalPath = join(folder, "journal.jsonl");
  await writeFile(journalPath, (await readFile(journalPath, "utf8")).split("\n").slice(0, 2).join("\n") + "\n");
  expect((await RunReader.open(folder, RUN)).ledger.usd).toBe(0);
});
