import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { BatchItem } from "../../../src/cli/batch/batch-line.ts";
import { readBatch } from "../../../src/cli/batch/read-batch.ts";

function file(name: string, content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "hypo batch é "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Reads a batch file whose material lies beside it. */
function read(path: string, begun: readonly string[] = []): Promise<BatchItem[]> {
  const hasBegun = ({ id }: BatchItem): boolean => begun.includes(id);
  return readBatch(path, { cwd: dirname(path), maxBytes: 1000, now: new Date(0), hasBegun });
}

async function problemsOf(name: string, content: string | Uint8Array): Promise<string[]> {
  const refused: unknown = await read(file(name, content)).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "batch_invalid", exitCode: 2 });
  return (refused as Error).message.split("\n").map((line) => line.trim());
}

describe("a batch file", () => {
  it("is JSON Lines with ids and settings of each question", async () => {
    const lines = ['{"id":"a","question":"Why\\n so?","max_cost":0.5,"model":"x/y"}', "", '{"id":7,"question":"検索はなぜ速い？"}'];
    expect(await read(file("q.jsonl", `\uFEFF${lines.join("\r\n")}`))).toEqual([
      { id: "a", line: 1, question: "Why so?", sets: { max_cost: 0.5, model: "x/y" } },
      { id: "7", line: 3, question: "検索はなぜ速い？", sets: {} },
    ]);
  });

  it("is CSV whose first row names the columns; an empty cell sets nothing", async () => {
    const text = '\uFEFFid,question,max_cost,thinking\r\na,"Why, ""then"",\nso?",,low\r\n2,How?,1.5,\r\n';
    expect(await read(file("q.CSV", text))).toEqual([
      { id: "a", line: 2, question: 'Why, "then", so?', sets: { thinking: "low" } },
      { id: "2", line: 4, question: "How?", sets: { max_cost: 1.5 } },
    ]);
  });

  it("is text with a question a line and comments after #; ids follow the questions, wherever they stand", async () => {
    const [first, second] = await read(file("q.txt", "Why?\n# a comment\nما الأسرع؟\n  #\n"));
    const [again] = await read(file("other.txt", "ما الأسرع؟\n"));
    expect([first?.line, second?.line, second?.question]).toEqual([1, 3, "ما الأسرع؟"]);
    expect(second?.id).toMatch(/^q-[0-9a-f]{10}$/);
    expect(again?.id).toBe(second?.id);
  });

  it("is refused with every line that is wrong, before anything is run", async () => {
    const lines = [
      '{"id":"a","question":"Why?"}',
      "{not json}",
      '{"id":"a","question":"How?"}',
      '{"question":"  "}',
      '{"question":"When?","max_csot":1}',
      '{"question":"When?","max_cost":-1}',
      "[]",
      '{"id":"b"}',
    ];
    const problems = await problemsOf("q.jsonl", lines.join("\n"));
    expect(problems).toHaveLength(8);
    expect(problems[1]).toMatch(/^q\.jsonl, line 2: this is not JSON/);
    expect(problems[2]).toBe('q.jsonl, line 3: the id "a" was given on line 1 already');
    expect(problems[3]).toBe("q.jsonl, line 4: the question is empty");
    expect(problems[4]).toBe('q.jsonl, line 5: there is no key "max_csot"; did you mean max_cost?');
    expect(problems[5]).toMatch(/line 6: max_cost: /);
    expect(problems[6]).toMatch(/line 7: this is not an object with a question/);
    expect(problems[7]).toBe("q.jsonl, line 8: question: it is missing");
  });

  it.each([
    [
      "bytes that are not UTF-8",
      "q.txt",
      Buffer.from([0x57, 0x0a, 0xff, 0x0a, 0x58, 0x0a, 0xc3]),
      ["line 2: this is not UTF-8", "line 4: this is not UTF-8"],
    ],
    ["UTF-16", "q.csv", Buffer.from("\uFEFFquestion\n", "utf16le"), ["line 1: the file is UTF-16"]],
    ["questions that stand twice", "q.txt", "Why?\nHow?\n Why? \n", ["line 3: the id"]],
    ["a CSV row of another width", "q.csv", "id,question\na\nb,How?,x\n", ["line 2: there are 1 fields", "line 3: there are 3 fields"]],
    [
      "a CSV without a column for the question",
      "q.csv",
      "Why?\nHow?\n",
      ["line 1: there is no column", "line 1: there is no column question"],
    ],
    ["a number that is none", "q.csv", "question,max_cost\nWhy?,much\n", ["line 2: max_cost"]],
    ["a column that stands twice", "q.csv", "question,question\nWhy?,How?\n", ["line 1: the column"]],
    ["an open quote", "q.csv", 'question\n"Why?\n', ["line 2: a quote"]],
  ])("is refused for %s", async (_what, name, content, expected) => {
    const problems = (await problemsOf(name, content)).slice(1);
    expect(problems).toHaveLength(expected.length);
    for (const [index, part] of expected.entries()) expect(problems[index]).toContain(part);
  });

  it.each([
    ["of another kind", () => file("q.yaml", "a"), /none of .jsonl, .csv, .txt/],
    ["that is not there", () => "/no/such.txt", /cannot be read/],
    ["without a question", () => file("q.txt", "\n\n"), /holds no question/],
  ])("%s is refused", async (_what, path, message) => {
    await expect(read(path())).rejects.toThrow(message);
  });

  it("names material that cannot be given with its lines; what a run was given already may be gone", async () => {
    const lines = [
      { id: "a", question: "Why?", context: ["no/such.md", "notes.md"] },
      { id: "b", question: "How?", context: "empty folder" },
      { id: "c", question: "When?", context: ["https://example.org/", "ftp://example.org/a", "no/such.md", ".env", "pictures", "big.txt"] },
    ];
    const path = file("q.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
    const folder = dirname(path);
    for (const name of ["empty folder", "pictures"]) mkdirSync(join(folder, name));
    for (const [name, content] of [
      ["notes.md", "Notes."],
      [".env", "KEY=1"],
      ["pictures/a.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])],
      ["big.txt", "x".repeat(1001)],
    ] as const)
      writeFileSync(join(folder, name), content);
    const refused: unknown = await read(path).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "batch_invalid" });
    expect((refused as Error).message.replaceAll(folder, "").split("\n").slice(1)).toEqual([
      "  q.jsonl, line 1: context: There is no file or folder /no/such.md.",
      "  q.jsonl, line 2: context: There is nothing to read in /empty folder.",
      "  q.jsonl, line 3: context: ftp://example.org/a is not read: of addresses only those with http:// and https:// are.",
      "  q.jsonl, line 3: context: There is no file or folder /no/such.md.",
      expect.stringMatching(/line 3: context: .*\.env is not added/),
      "  q.jsonl, line 3: context: There is nothing to read in /pictures.",
      expect.stringMatching(/line 3: context: .*big\.txt has 1,001 bytes/),
    ]);
    expect(await read(path, ["a", "b", "c"])).toHaveLength(3);
  });
});
