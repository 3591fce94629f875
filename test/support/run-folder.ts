import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventType, Fact, JournalRecord } from "../../src/domain/events.ts";
import { isFact } from "../../src/domain/records.ts";
import type { Question } from "./scripted/question-log.ts";

type FactOf<T extends EventType> = Extract<Fact, { type: T }>;

/** What a run left on disk, read without hypo's own code for it. */
export interface RunFolder {
  id: string;
  path: string;
  /** All records of the journal in order. An unterminated last line, as kill -9 may leave it, is left out. */
  records: () => Promise<JournalRecord[]>;
  facts: () => Promise<Fact[]>;
  factsOf: <T extends EventType>(type: T) => Promise<FactOf<T>[]>;
  /** Questions whose answers the journal holds, in a run without summaries: no later process may ask them again. */
  recordedAnswers: () => Promise<Question[]>;
  report: () => Promise<string>;
  reportJson: () => Promise<unknown>;
  status: () => Promise<unknown>;
}

export function openRunFolder(runs: string, id: string): RunFolder {
  const path = join(runs, id);
  const read = (name: string): Promise<string> => readFile(join(path, name), "utf8");
  const records = async (): Promise<JournalRecord[]> => parseJournal(await read("journal.jsonl"));
  const facts = async (): Promise<Fact[]> => (await records()).filter(isFact);
  const factsOf = async <T extends EventType>(type: T): Promise<FactOf<T>[]> =>
    (await facts()).filter((fact): fact is FactOf<T> => fact.type === type);
  return {
    id,
    path,
    records,
    facts,
    factsOf,
    recordedAnswers: async () =>
      (await factsOf("model_answered")).map(({ data }) => ({ agent: data.agent, assistantMessages: data.index })),
    report: () => read("report.md"),
    reportJson: async () => JSON.parse(await read("report.json")) as unknown,
    status: async () => JSON.parse(await read("status.json")) as unknown,
  };
}

/** @throws Error with the line's number where a complete line is not JSON. */
function parseJournal(text: string): JournalRecord[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line, place) => {
      try {
        return JSON.parse(line) as JournalRecord;
      } catch (error) {
        throw new Error(`journal.jsonl:${place + 1} is not JSON: ${line.slice(0, 200)}`, { cause: error });
      }
    });
}
