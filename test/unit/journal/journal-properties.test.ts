import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Fact } from "../../../src/domain/events.ts";
import { Journal } from "../../../src/engine/journal/journal.ts";
import { clock, collect, makeTestFolder, started } from "./support.ts";

type Command =
  | { do: "append"; branch: number; prompts: string[] }
  | { do: "fork"; at: number }
  | { do: "rewind"; branch: number; to: number }
  | { do: "reopen" };

const commands = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant("append" as const),
        branch: fc.nat(9),
        prompts: fc.array(fc.string({ unit: "binary" }), { maxLength: 4 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("fork" as const), at: fc.nat(99) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("rewind" as const), branch: fc.nat(9), to: fc.nat(99) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("reopen" as const) }) },
  ),
  { maxLength: 30 },
);

test("whatever is appended, forked and rewound, every branch has the ancestry of a naive model, also after reopening", async () => {
  const property = fc.asyncProperty(commands, async (list) => {
    const folder = await makeTestFolder();
    const model = new NaiveJournal();
    let journal = await Journal.create(folder, { clock });
    for (const command of list) {
      if (command.do === "reopen") {
        await journal.close();
        journal = await Journal.open(folder, { clock });
        await expectSame(journal, model);
      } else apply(journal, model, command);
    }
    await expectSame(journal, model);
    await journal.close();
    await expectSame(await Journal.read(folder), model);
  });
  await expect(fc.assert(property, { numRuns: 40 })).resolves.toBeUndefined();
});

test("a fork or a rewind never changes another branch", async () => {
  const property = fc.asyncProperty(commands, fc.nat(9), async (list, watched) => {
    const journal = await Journal.create(await makeTestFolder(), { clock });
    const model = new NaiveJournal();
    for (const command of list) {
      if (command.do === "reopen") continue;
      const branch = model.branch(watched);
      const before = await collect(journal.ancestry(branch));
      const touched = apply(journal, model, command);
      const after = touched === branch ? before : await collect(journal.ancestry(branch));
      expect(after).toEqual(before);
    }
    await journal.close();
  });
  await expect(fc.assert(property, { numRuns: 20 })).resolves.toBeUndefined();
});

interface NaiveFact {
  seq: number;
  parent: number;
  branch: string;
  prompt: string;
}

/** Keeps whole ancestries where the journal keeps parents. */
class NaiveJournal {
  readonly facts: NaiveFact[] = [];
  readonly lines = new Map<string, NaiveFact[]>([["main", []]]);
  /** The ancestry of each fact, itself included. */
  readonly ancestries = new Map<number, NaiveFact[]>([[0, []]]);

  branch(pick: number): string {
    return [...this.lines.keys()][pick % this.lines.size] ?? "main";
  }

  line(branch: string): NaiveFact[] {
    return this.lines.get(branch) ?? [];
  }

  head(branch: string): number {
    return this.line(branch).at(-1)?.seq ?? 0;
  }

  add(branch: string, prompt: string): void {
    const fact = { seq: this.facts.length + 1, parent: this.head(branch), branch, prompt };
    this.facts.push(fact);
    this.lines.set(branch, [...this.line(branch), fact]);
    this.ancestries.set(fact.seq, this.line(branch));
  }

  put(branch: string, at: number): void {
    this.lines.set(branch, this.ancestries.get(at) ?? []);
  }
}

/** Does the same to both; returns the branch that was touched. */
function apply(journal: Journal, model: NaiveJournal, command: Exclude<Command, { do: "reopen" }>): string {
  if (command.do === "append") {
    const branch = model.branch(command.branch);
    void journal.append(branch, model.head(branch), command.prompts.map(started));
    for (const prompt of command.prompts) model.add(branch, prompt);
    return branch;
  }
  const isFork = command.do === "fork";
  const branch = isFork ? `b${model.lines.size}` : model.branch(command.branch);
  const to = (isFork ? command.at : command.to) % (model.facts.length + 1);
  void journal.moveBranch(branch, to, isFork ? undefined : model.head(branch), command.do);
  model.put(branch, to);
  return branch;
}

async function expectSame(journal: Pick<Journal, "heads" | "ancestry" | "allFacts">, model: NaiveJournal): Promise<void> {
  expect([...journal.heads]).toEqual([...model.lines.keys()].map((branch) => [branch, model.head(branch)]));
  expect((await collect(journal.allFacts())).map(simplify)).toEqual(model.facts);
  for (const branch of model.lines.keys()) expect((await collect(journal.ancestry(branch))).map(simplify)).toEqual(model.line(branch));
}

function simplify(fact: Fact): NaiveFact {
  if (fact.type !== "agent_started") throw new Error(`unexpected ${fact.type}`);
  return { seq: fact.seq, parent: fact.parent, branch: fact.branch, prompt: fact.data.prompt };
}
