import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv } from "../../../src/cli/batch/csv.ts";

const cellsOf = (text: string): string[][] => readCsv(text).rows.map(({ cells }) => cells);

describe("reading CSV", () => {
  it.each([
    [
      "plain fields, LF and CRLF",
      "a,b\r\nc,d\ne,f",
      [
        ["a", "b"],
        ["c", "d"],
        ["e", "f"],
      ],
    ],
    ["commas, quotes and line ends in quotes", '"a,1","say ""so""","two\r\nlines"\n', [["a,1", 'say "so"', "two\r\nlines"]]],
    [
      "empty fields",
      'a,,\n"",,z\n',
      [
        ["a", "", ""],
        ["", "", "z"],
      ],
    ],
    ["blank lines", "a\n\n\r\nb\n", [["a"], ["b"]]],
    ["spaces, which are kept", " a , b \n", [[" a ", " b "]]],
    ["any script", '"検索, どれ?",فرز\n', [["検索, どれ?", "فرز"]]],
    ["a last row that ends in a comma", "a,", [["a", ""]]],
    ["nothing", "", []],
  ])("takes %s", (_what, text, cells) => {
    expect(readCsv(text).problems).toEqual([]);
    expect(cellsOf(text)).toEqual(cells);
  });

  it("says on which line a row begins, also after rows of several lines", () => {
    expect(readCsv('a\n"b\nb"\n\nc\n').rows.map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it.each([
    ["a quote that is never closed", 'a\nb,"c\nd\n', 2, /never closed/],
    ["a quote within a plain field", 'a\nb"c"\n', 2, /does not begin with one/],
    ["something after a closing quote", 'a\n"b\nb"c\n', 3, /follows a closing quote/],
    ["a carriage return alone", "a\rb\n", 1, /carriage return/],
  ])("refuses %s with its line", (_what, text, line, message) => {
    expect(readCsv(text).problems).toEqual([{ line, message: expect.stringMatching(message) }]);
  });

  it("gives back whatever was written with every field quoted", () => {
    const field = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r\n", " ", "é") });
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 5 }), (rows) => {
        const text = rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\r\n`).join("");
        expect(cellsOf(text)).toEqual(rows);
      }),
    );
  });
});
