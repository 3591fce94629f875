import { describe, expect, it } from "vitest";
import { allowsColor, painterFor } from "../../../src/cli/output/color.ts";
import { markdownLines } from "../../../src/cli/output/markdown.ts";
import { ago, bytes, count, duration, money } from "../../../src/cli/output/quantities.ts";
import { tableLines } from "../../../src/cli/output/table.ts";
import { cut, fit, widthOf } from "../../../src/cli/output/width.ts";

describe("amounts read as people write them", () => {
  it.each([
    [0, "0s"],
    [-5, "0s"],
    [59_999, "59s"],
    [60_000, "1m 00s"],
    [187_000, "3m 07s"],
    [7_500_000, "2h 05m"],
    [273_600_000, "3d 4h"],
  ])("%d ms is %s", (ms, text) => expect(duration(ms)).toBe(text));

  it.each([
    [0, "$0"],
    [0.00001, "<$0.0001"],
    [0.0123, "$0.0123"],
    [5, "$5.00"],
    [12.345, "$12.35"],
  ])("%d dollars is %s", (usd, text) => expect(money(usd)).toBe(text));

  it.each([
    [0, "0"],
    [999, "999"],
    [12_345, "12.3k"],
    [999_949, "1000k"],
    [999_950, "1M"],
    [20_000_000, "20M"],
    [2_500_000_000, "2.5G"],
  ])("a count of %d is %s, at most five characters", (value, text) => {
    expect(count(value)).toBe(text);
    expect(text.length).toBeLessThanOrEqual(5);
  });

  it.each([
    [512, "512 B"],
    [4200, "4.2 kB"],
    [12_000_000, "12 MB"],
  ])("%d bytes is %s", (size, text) => expect(bytes(size)).toBe(text));

  it.each([
    ["2026-03-01T11:59:58Z", "just now"],
    ["2026-03-01T11:59:20Z", "40s ago"],
    ["2026-03-01T11:00:00Z", "1h ago"],
    ["2026-02-27T12:00:00Z", "2d ago"],
    ["2025-03-01T12:00:00Z", "2025-03-01"],
    ["not a time", "not a time"],
  ])("%s is %s", (iso, text) => expect(ago(iso, Date.parse("2026-03-01T12:00:00Z"))).toBe(text));
});

describe("text is cut and filled by the columns it takes", () => {
  it.each([
    ["short", 10, "short     "],
    ["exactly10!", 10, "exactly10!"],
    ["longer than ten", 10, "longer th…"],
    ["検索する者です", 8, "検索す… "],
    ["👩‍🔬👩‍🔬👩‍🔬", 5, "👩‍🔬👩‍🔬…"],
    ["e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301…"],
  ])("%s in %d columns", (text, width, shown) => {
    expect(fit(text, width)).toBe(shown);
    expect(widthOf(fit(text, width))).toBe(width);
  });

  it("cuts to nothing where there is no room", () => expect(cut("text", 0)).toBe(""));

  it("keeps right-to-left text to its own columns", () => {
    expect(widthOf(fit("باحث", 10))).toBe(10);
  });
});

describe("tables", () => {
  const columns = [
    { title: "NAME", value: (row: { name: string; size: number }) => row.name },
    { title: "SIZE", value: (row: { name: string; size: number }) => String(row.size), side: "right" as const },
    { title: "ABOUT", value: (row: { name: string; size: number }) => `about ${row.name}` },
  ];

  it("line up whatever the script, and neutralise what is in the cells", () => {
    const lines = tableLines(
      columns,
      [
        { name: "検索", size: 5 },
        { name: "\u001B[31mab\u001B[0m\n", size: 1234 },
      ],
      undefined,
      painterFor(false),
    );
    expect(lines).toEqual(["NAME  SIZE  ABOUT", "検索     5  about 検索", "ab    1234  about ab"]);
  });

  it("fit the terminal by their last column", () => {
    const lines = tableLines(columns, [{ name: "x".repeat(10), size: 1 }], 30, painterFor(false));
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(30);
  });
});

describe("Markdown at a terminal", () => {
  it("has each right-to-left line in its own direction, behind the sign it begins with", () => {
    const text = "# بحث 1\n\nsearch\n\n- بحث في 5 [1].\n> بحث 2\n\n```\nبحث 3\n```";
    expect(markdownLines(text, painterFor(false))).toEqual([
      "\u2068بحث 1\u2069",
      "",
      "search",
      "",
      "• \u2068بحث في 5 [1].\u2069",
      "│ \u2068بحث 2\u2069",
      "",
      "  ```",
      "  \u2068بحث 3\u2069",
      "  ```",
    ]);
  });
});

describe("colours", () => {
  it.each([
    ["a terminal has them", {}, true, true],
    ["a pipe has none", {}, false, false],
    ["NO_COLOR turns them off", { NO_COLOR: "1" }, true, false],
    ["an empty NO_COLOR says nothing", { NO_COLOR: "" }, true, true],
    ["a dumb terminal has none", { TERM: "dumb" }, true, false],
    ["FORCE_COLOR turns them on for a pipe", { FORCE_COLOR: "1" }, false, true],
    ["FORCE_COLOR=0 turns them off", { FORCE_COLOR: "0" }, true, false],
  ])("%s", (_why, env, isTty, allowed) => expect(allowsColor(env, isTty)).toBe(allowed));

  it("leave no escape behind where they are off", () => {
    expect(painterFor(false)("good", "ok")).toBe("ok");
    expect(painterFor(true)("good", "ok")).toBe("\u001B[32mok\u001B[39m");
  });
});
