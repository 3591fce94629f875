import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTemporaryMemory, type TemporaryMemory } from "./temporary-memory.ts";

/** Each is its own stem, no stop word, and no edit away from another. */
const WORDS = ["owl", "bat", "moon", "wood", "night", "river", "stone", "winter", "woodland"];
const NOTES = 150;
const word = fc.constantFrom(...WORDS);
/** A note as title and text. */
const note = fc.tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.array(word, { maxLength: 12 }));
/** Notes as they were first, and what became of each: gone, changed, or left. */
const history = fc.sample(fc.tuple(note, fc.option(note), fc.nat(3)), { numRuns: NOTES, seed: 7 });
const store = new Map<string, [title: string[], text: string[]]>();
let memory: TemporaryMemory;

/** Notes come, change and go a few at a time, so that some of them wait in the index when the next come. */
beforeAll(async () => {
  memory = await makeTemporaryMemory(60_000);
  for (const [at, [first, next, fate]] of history.entries()) {
    await put(at, first);
    if (at % 7 === 0) await memory.memory.list({ limit: 1 });
    const earlier = Math.floor(at / 2);
    if (fate !== 0) continue;
    if (next === null) await remove(earlier);
    else await put(earlier, next);
  }
});
afterAll(() => memory.remove());

async function put(at: number, [title, text]: [string[], string[]]): Promise<void> {
  store.set(`f-${at}`, [title, text]);
  await memory.put(`findings/${at}.md`, `---\nid: f-${at}\ntype: fact\n---\n\n# ${title.join(" ")}\n\n${text.join(" ")}\n`);
}

async function remove(at: number): Promise<void> {
  store.delete(`f-${at}`);
  await rm(join(memory.folder, `memory/findings/${at}.md`), { force: true });
}

interface Query {
  words: string[];
  phrases: string[][];
  excluded: string[];
  excludedPhrases: string[][];
  prefix: string | null;
}

const phrase = fc.array(word, { minLength: 2, maxLength: 2 });
const query: fc.Arbitrary<Query> = fc.record({
  words: fc.array(word, { minLength: 1, maxLength: 4 }),
  phrases: fc.array(phrase, { maxLength: 1 }),
  excluded: fc.array(word, { maxLength: 2 }),
  excludedPhrases: fc.array(phrase, { maxLength: 1 }),
  prefix: fc.option(fc.constantFrom("wood", "win", "mo")),
});

function textOf({ words, phrases, excluded, excludedPhrases, prefix }: Query): string {
  const quoted = (tokens: string[]) => `"${tokens.join(" ")}"`;
  const minus = [...excluded, ...excludedPhrases.map(quoted)].map((each) => `-${each}`);
  return [...words, ...phrases.map(quoted), ...minus, ...(prefix === null ? [] : [`${prefix}*`])].join(" ");
}

const holds = (tokens: string[], found: string[]) => tokens.some((_, at) => found.every((each, next) => tokens[at + next] === each));

/** The notes that a query finds, by the letter of the manual. */
function findPlainly({ words, phrases, excluded, excludedPhrases, prefix }: Query): string[] {
  return [...store].flatMap(([id, [title, text]]) => {
    const all = [...title, ...text];
    const has = (found: string[]) => holds(title, found) || holds(text, found);
    const isFound =
      phrases.length > 0 || words.some((each) => all.includes(each)) || (prefix !== null && all.some((each) => each.startsWith(prefix)));
    const isLeftOut = excluded.some((each) => all.includes(each)) || excludedPhrases.some(has);
    return isFound && phrases.every(has) && !isLeftOut ? [id] : [];
  });
}

/** BM25F of one word of a query that asks for it once, as the manual has it. */
function scorePlainly(asked: string, id: string): number {
  const [title, text] = store.get(id) ?? [[], []];
  const times = (tokens: string[]) => tokens.filter((each) => each === asked).length;
  const lengthOf = ([titleOf, textOf]: [string[], string[]]) => 2 * titleOf.length + textOf.length;
  const average = [...store.values()].reduce((sum, each) => sum + lengthOf(each), 0) / store.size;
  const found = [...store.values()].filter(([titleOf, textOf]) => times(titleOf) + times(textOf) > 0).length;
  const count = 2 * times(title) + times(text);
  return (
    (Math.log(1 + (store.size - found + 0.5) / (found + 0.5)) * count * 3) / (count + 2 * (0.5 + (0.5 * lengthOf([title, text])) / average))
  );
}

describe("a search of notes that came, changed and went", () => {
  it("finds what the manual says, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const hits = await memory.memory.search({ text: textOf(asked), limit: 1000 });
        expect(hits.map(({ id }) => id).toSorted()).toEqual(findPlainly(asked).toSorted());
      }),
      { numRuns: 200 },
    );
  });

  it("scores each word as BM25F does", async () => {
    for (const asked of WORDS) {
      const { hits } = await memory.memory.find({ text: asked, limit: 1000 });
      expect(hits.length).toBeGreaterThan(3);
      for (const { id, explanation } of hits) expect(explanation.terms[0]?.score).toBeCloseTo(scorePlainly(asked, id), 9);
    }
  });

  it("gives copies of one text by their ids, whichever came last", async () => {
    const own = await makeTemporaryMemory(60_000);
    const ids = Array.from({ length: 150 }, (_, at) => `f-${String(at).padStart(3, "0")}`);
    const write = (id: string) => own.put(`findings/${id}.md`, `---\nid: ${id}\ntype: fact\n---\n\n# Owl\n\nwinter\n`);
    for (const id of ids) await write(id);
    await own.memory.list({ limit: 1 });
    for (const id of ids.slice(0, 40)) {
      await own.put(`findings/${id}.md`, `---\nid: ${id}\ntype: fact\n---\n\n# Bat\n`);
      await own.memory.list({ limit: 1 });
      await write(id);
      await own.memory.list({ limit: 1 });
    }
    const found = async () => (await own.memory.search({ text: "owl", limit: 70 })).map(({ id }) => id);
    expect(await found()).toEqual(ids.slice(0, 70));
    await own.memory.rebuild();
    expect(await found()).toEqual(ids.slice(0, 70));
    await own.remove();
  });

  it("answers as an index made from nothing does, to the last digit", async () => {
    const queries = fc.sample(query, { numRuns: 60, seed: 5 }).map(textOf);
    const ask = () => Promise.all(queries.map((text) => memory.memory.search({ text, limit: 20 })));
    const followed = await ask();
    await memory.memory.rebuild();
    expect(await ask()).toEqual(followed);
  });
});
