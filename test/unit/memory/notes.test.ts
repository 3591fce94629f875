import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { cleanText, unquoteBlock } from "../../../src/memory/notes/markdown-safe.ts";
import { noteForFinding } from "../../../src/memory/notes/finding-note.ts";
import type { Note } from "../../../src/memory/notes/note.ts";
import { KnownKeys } from "../../../src/memory/notes/known-keys.ts";
import { isProblem, parseNote } from "../../../src/memory/notes/parse-note.ts";
import { readPlainKeys } from "../../../src/memory/notes/plain-keys.ts";
import { serialiseNote } from "../../../src/memory/notes/serialise-note.ts";
import { readOwnLines } from "../../../src/memory/notes/yaml-lines-reader.ts";
import { writeEntry } from "../../../src/memory/notes/yaml-lines.ts";
import { anyFinding, makeFinding, nastyText } from "./findings.ts";

async function parsed(text: string): Promise<Note> {
  const note = await parseNote(text, "finding");
  if (isProblem(note)) throw new Error(`line ${note.line}: ${note.message}`);
  return note;
}

describe("keys that hold what hypo writes", () => {
  const text = fc.constantFrom("a", " b ", "", "ü");
  const odd = fc.oneof(text, fc.constantFrom<unknown>(null, 7, 2n, 1.5, true, {}, [], [null], ["a", 7], [["a"]]));
  const texts = fc.oneof(fc.array(text, { maxLength: 3 }), odd);
  const number = fc.oneof(fc.integer(), odd);
  const range = fc.record(
    { source: fc.oneof(text, odd), text_sha256: text, extractor: text, start: number, end: fc.integer() },
    { noNullPrototype: true },
  );
  const ranges = fc.oneof(fc.array(range, { maxLength: 2 }), odd);
  const values = fc.record(
    {
      id: fc.oneof(text, odd),
      type: fc.oneof(text, odd),
      created: fc.oneof(text, odd),
      negative_result: fc.oneof(fc.boolean(), odd),
      sources: texts,
      evidence: ranges,
      counterevidence: ranges,
      experiments: texts,
      related: fc.oneof(fc.constant([{ kind: "supports", to: "f-1" }]), odd),
      more: odd,
    },
    { requiredKeys: [], noNullPrototype: true },
  );

  it("are read as the schema reads them, or left to it", () => {
    fc.assert(
      fc.property(values, (given) => {
        const plain = readPlainKeys(new Map(Object.entries(given)));
        expect(plain === undefined ? undefined : KnownKeys.parse(given)).toEqual(plain);
      }),
      { numRuns: 2000 },
    );
  });

  it("are read without it", () => {
    const evidence = [{ source: "5f", text_sha256: "9b", extractor: "readability@1", start: 10, end: 32 }];
    const front = { id: "f-1", type: "fact", created: "2026", negative_result: false, sources: ["5f"], evidence, related: [] };
    expect(readPlainKeys(new Map(Object.entries(front)))).toEqual(KnownKeys.parse(front));
  });
});

describe("the note of a finding", () => {
  it("reads like a page a person would write", () => {
    const source = "ab".repeat(32);
    const { path, text } = noteForFinding(
      makeFinding({
        evidence: [
          { source, quote: "Latency fell\nby half.", text_sha256: "cd".repeat(32), extractor: "readability@1", start: 10, end: 32 },
        ],
        limitations: ["One data centre only."],
        related: [{ kind: "supports", to: "h-1234567890" }],
      }),
    );
    expect(path).toBe("findings/caching-halves-the-latency-f-0123456789.md");
    expect(text).toBe(`---
id: f-0123456789
type: fact
status: observed
created_by: root.1
run_id: "20261130-101500-does-caching-help-1a2b"
created: "2026-11-30T10:20:00.000Z"
negative_result: false
sources:
  - ${source}
evidence:
  - { source: ${source}, text_sha256: ${"cd".repeat(32)}, extractor: readability@1, start: 10, end: 32 }
counterevidence: []
experiments: []
related:
  - { kind: supports, to: h-1234567890 }
---

# Caching halves the latency

## Statement

A shared cache halves the median latency of reads.

## Evidence

Source \`${source}\`, characters 10 to 32:

> Latency fell
> by half.

## Counterevidence

## Limitations

- One data centre only.
`);
  });

  it("keeps every text in its section and every field as it was, whatever the texts hold", async () => {
    await fc.assert(
      fc.asyncProperty(anyFinding, async (finding) => {
        const { text } = noteForFinding(finding);
        const note = await parsed(text);
        expect(note.sections.map(({ heading }) => heading)).toEqual(["Statement", "Evidence", "Counterevidence", "Limitations"]);
        expect(note).toMatchObject({
          id: finding.id.toWellFormed().trim(),
          type: finding.type,
          created_by: finding.agent.toWellFormed(),
          run_id: finding.run.toWellFormed(),
          experiments: finding.experiments.map((id) => id.toWellFormed()),
          negative_result: finding.negative_result,
          extra: {},
          preamble: "",
        });
        const statement = note.sections[0]?.body ?? "";
        expect(unquoteBlock(statement) ?? statement).toBe(cleanText(finding.statement));
        expect(note.sections[1]?.body.match(/^Source `/gm)?.length ?? 0).toBe(finding.evidence.length);
        expect(note.sections[3]?.body.split("\n").filter((line) => line !== "").length).toBe(finding.limitations.length);
        expect(serialiseNote(note)).toBe(serialiseNote(await parsed(serialiseNote(note))));
      }),
      { numRuns: 150 },
    );
  });

  it("is the same bytes for the same finding", () => {
    fc.assert(
      fc.property(anyFinding, (finding) => {
        expect(noteForFinding(structuredClone(finding))).toEqual(noteForFinding(finding));
      }),
    );
  });

  it("holds no character that drives a terminal", () => {
    fc.assert(
      fc.property(anyFinding, (finding) => {
        expect(noteForFinding(finding).text.replaceAll("\n", "").replaceAll("\t", "")).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe("reading and writing a note", () => {
  it("keeps keys and sections it does not know, with their values", async () => {
    const note = await parsed(
      "---\nid: f-1\nreviewer: Ada\npriority: 3\nbig: 12345678901234567890\nnested:\n  a: [1, two]\ndate: 2026-01-02\n# a comment\n---\n\nLead.\n\n# not a title\n\n## Notes to self\n\n```\n## no heading\n```\n",
    );
    expect(note.extra).toEqual({ reviewer: "Ada", priority: 3, big: 12345678901234567890n, nested: { a: [1, "two"] }, date: "2026-01-02" });
    expect(note.sections).toEqual([{ heading: "Notes to self", body: "```\n## no heading\n```" }]);
    expect(await parsed(serialiseNote(note))).toEqual(note);
  });

  it("gives back any note it can read", async () => {
    const part = fc.oneof(
      nastyText,
      fc.constantFrom("## Statement\n\nText\n", "\n## Own section\n\n", "# Title\n", "```\n## in a fence\n```\n", "\n~~~~\n"),
    );
    const front = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.jsonValue({ maxDepth: 2 }));
    await fc.assert(
      fc.asyncProperty(front, fc.array(part, { maxLength: 8 }), async (extra, parts) => {
        const yaml = Object.entries({ ...extra, id: "f-1" }).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}\n`);
        const note = await parseNote(`---\n${yaml.join("")}---\n${parts.join("")}`, "finding");
        if (isProblem(note)) return;
        expect(await parsed(serialiseNote(note))).toEqual(note);
      }),
      { numRuns: 150 },
    );
  });

  it("means the same to its own reader of frontmatter as to a YAML parser", () => {
    const scalar = fc.oneof(nastyText, fc.boolean(), fc.integer(), fc.constantFrom("yes", "null", "1e3", "0x1f", "~", "on", "a: b", ""));
    const map = fc.dictionary(fc.stringMatching(/^[a-z_]{1,6}$/), scalar, { minKeys: 1, maxKeys: 3 });
    const value = fc.oneof(scalar, fc.array(fc.oneof(scalar, map), { maxLength: 3 }));
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z_]{2,8}$/), value, { minKeys: 1 }), (values) => {
        const yaml = Object.entries(values)
          .map(([key, value]) => writeEntry(key, value))
          .join("");
        const document = parseDocument(yaml, { stringKeys: true });
        expect(document.errors).toEqual([]);
        const own = readOwnLines(yaml);
        expect(own === undefined ? document.toJS() : Object.fromEntries(own)).toEqual(document.toJS());
        expect(JSON.stringify(document.toJS())).toBe(
          JSON.stringify(values, (_, item) => (typeof item === "string" ? item.toWellFormed() : item)),
        );
      }),
      { numRuns: 150 },
    );
  });

  it("reads frontmatter of its own making without a YAML parser", () => {
    const { text } = noteForFinding(makeFinding({ related: [{ kind: "refines", to: "f-2" }] }));
    expect(readOwnLines(text.slice(4, text.indexOf("\n---\n") + 1))?.get("related")).toEqual([{ kind: "refines", to: "f-2" }]);
  });

  it.each([
    ["CRLF line ends", "---\r\nid: f-1\r\n---\r\n\r\n# Title\r\n\r\n## Statement\r\n\r\nText\r\n"],
    ["a byte order mark", "\ufeff---\nid: f-1\n---\n# Title\n\n## Statement\nText"],
    ["old Mac line ends", "---\rid: f-1\r---\r# Title\r## Statement\rText"],
  ])("reads a file with %s", async (_, text) => {
    expect(await parsed(text)).toMatchObject({
      id: "f-1",
      title: "Title",
      type: "finding",
      sections: [{ heading: "Statement", body: "Text" }],
    });
  });

  it.each([
    ["no frontmatter", "# Title\n", 1, /begin with/],
    ["an empty file", "", 1, /begin with/],
    ["frontmatter without an end", "---\nid: f-1\n# Title\n", 1, /no closing/],
    ["broken YAML", "---\nid: f-1\ntags: [a, b\n---\n", 4, /not valid YAML/],
    ["a key twice", "---\nid: f-1\nid: f-2\n---\n", 3, /not valid YAML/],
    ["no id", "---\ntype: fact\n---\n", 1, /no `id`/],
    ["an empty id", '---\ntype: fact\nid: " "\n---\n', 3, /id is empty/],
    ["a list for a text", "---\nid: f-1\nstatus: [a]\n---\n", 3, /status/],
    ["an unknown relation", "---\nid: f-1\nrelated:\n  - {kind: likes, to: f-2}\n---\n", 3, /related\.0\.kind/],
    ["a list as frontmatter", "---\n- id\n---\n", 2, /list of/],
    [
      "more aliases than anyone needs",
      `---\nid: f-1\na: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b]\n---\n`,
      2,
      /cannot be read/,
    ],
    [
      "merge conflict markers",
      "---\nid: f-1\n<<<<<<< HEAD\nstatus: observed\n=======\nstatus: contested\n>>>>>>> theirs\n---\n",
      3,
      /merge conflict/,
    ],
  ])("reports a file with %s, and the line", async (_, text, line, message) => {
    expect(await parseNote(text, "finding")).toEqual({ line, message: expect.stringMatching(message) });
  });
});
