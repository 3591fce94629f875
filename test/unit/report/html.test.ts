import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/domain/run-record.ts";
import type { SourceRecord } from "../../../src/domain/source.ts";
import { exportReport } from "../../../src/report/index.ts";
import { STYLE } from "../../../src/report/html-style.ts";
import { sha256 } from "../../../src/domain/hash.ts";
import { HOSTILE, makeHostile } from "./hostile-records.ts";
import { KNUTH, makeDraft, makeExecution, makeExperiment, makeRun } from "./run-records.ts";

interface PageElement {
  tagName: string;
  textContent: string;
  parentElement: PageElement | null;
  attributes: Iterable<{ name: string; value: string }>;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  querySelector(selector: string): PageElement | null;
}

function parse(html: string): PageElement[] & { find1: (selector: string) => PageElement } {
  const { document } = parseHTML(html) as unknown as { document: PageElement };
  const find1 = (selector: string): PageElement => {
    const element = document.querySelector(selector);
    if (element === null) throw new Error(`nothing matches ${selector}`);
    return element;
  };
  return Object.assign([...document.querySelectorAll("*")], { find1 });
}

function render(run = makeRun(), draft = makeDraft()): string {
  return exportReport("html", run, draft);
}

function countTags(html: string): Record<string, number> {
  const tags = Map.groupBy(parse(html), ({ tagName }) => tagName);
  return Object.fromEntries([...tags].map(([tag, elements]) => [tag, elements.length]));
}

function attributesOf(html: string, name: RegExp): string[] {
  return parse(html).flatMap((element) => [...element.attributes].filter((each) => name.test(each.name)).map(({ value }) => value));
}

describe("the report as HTML", () => {
  it("is one file that loads nothing and runs nothing, under a policy that says so", () => {
    const html = render();
    const page = parse(html);
    const policy = page.find1("meta[http-equiv='Content-Security-Policy']").getAttribute("content");
    const hash = Buffer.from(sha256(page.find1("style").textContent), "hex").toString("base64");
    expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
    const tags = new Set(page.map(({ tagName }) => tagName.toLowerCase()));
    for (const tag of ["script", "link", "img", "iframe", "object", "embed", "form", "base", "video", "audio", "source"]) {
      expect(tags).not.toContain(tag);
    }
    expect(attributesOf(html, /^(src|srcset|style|on.*|background|poster|ping)$/)).toEqual([]);
    expect(STYLE).not.toMatch(/url\(|@import|@font-face/);
  });

  it("has one first heading and no level left out", () => {
    const levels = parse(render()).flatMap(({ tagName }) => (/^H[1-6]$/.test(tagName) ? [Number(tagName.slice(1))] : []));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
  });

  it("points every citation to a place that exists once, and describes it by its quote", () => {
    const html = render();
    const ids = attributesOf(html, /^id$/);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = attributesOf(html, /^href$/).filter((href) => href.startsWith("#"));
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter((target) => !ids.includes(target.slice(1)))).toEqual([]);
    expect(attributesOf(html, /^aria-describedby$/).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("shows a quote beside its citation, for the pointer and for the keyboard", () => {
    const quote = parse(render()).find1(".answer .cite .quote");
    expect(quote.textContent).toBe("“at most n lg n comparisons are made”");
    expect(STYLE).toMatch(/\.cite:hover \.quote,\.cite:focus-within \.quote\{display:block\}/);
  });

  it("draws the metrics as bars with their values in words for those who do not see them", () => {
    const page = parse(render());
    const chart = page.find1("svg");
    expect(chart.getAttribute("role")).toBe("img");
    expect(chart.getAttribute("aria-label")).toBe("Metrics of x-1 in comparisons. binary_insertion: 21.4; merge: 22.8");
    const widths = [...chart.querySelectorAll("rect")].map((bar) => Number(bar.getAttribute("width")));
    expect((widths[0] ?? 0) / (widths[1] ?? 1)).toBeCloseTo(21.4 / 22.8, 2);
  });

  it.each([
    ["negative and positive values", { binary_insertion: -5, merge: 5 }],
    ["huge values", { binary_insertion: 1.7e308, merge: -1.7e308 }],
    ["nothing but zero", { binary_insertion: 0, merge: 0 }],
  ])("keeps every bar inside the chart: %s", (_, metrics) => {
    const run = makeRun({ experiments: [makeExperiment("x-1", { executions: [makeExecution({ metrics })] })] });
    const bars = [...parse(render(run)).find1("svg").querySelectorAll("rect")];
    expect(bars).toHaveLength(2);
    for (const bar of bars) {
      const [x, width] = [Number(bar.getAttribute("x")), Number(bar.getAttribute("width"))];
      expect(x).toBeGreaterThanOrEqual(240);
      expect(x + width).toBeLessThanOrEqual(551);
    }
  });

  it("nests the agents as they were spawned", () => {
    const tester = parse(render()).find(({ tagName, textContent }) => tagName === "LI" && textContent.startsWith("Tester"));
    const above = tester?.parentElement?.parentElement;
    expect(above?.textContent).toMatch(/^Literature/);
    expect(above?.parentElement?.parentElement?.textContent).toMatch(/^Supervisor/);
  });

  it("marks a retracted work, and says what did not match", () => {
    const check = {
      source: KNUTH,
      checked_at: "2026-11-30T12:00:00.000Z",
      status: "differs",
      retracted: true,
      remarks: ['Crossref has the title "X"'],
    } as const;
    const options = { checks: new Map([[KNUTH, { ...check, remarks: [...check.remarks] }]]) };
    for (const format of ["html", "md", "bibtex"] as const) {
      const text = exportReport(format, makeRun(), makeDraft(), options);
      expect(text).toContain("RETRACTED");
      expect(text).toContain("Crossref has the title");
    }
    expect(render()).not.toContain("RETRACTED");
  });

  it.each(["light", "dark"])("has contrasts of at least 4.5:1 in %s", (scheme) => {
    const rules = [...STYLE.matchAll(/:root\{([^}]*)\}/g)].map(([, rule]) => rule ?? "");
    const colors = new Map(
      [...(rules[scheme === "light" ? 0 : 1] ?? "").matchAll(/--(\w+):(#[0-9a-f]{6})/g)].map(([, name, color]) => [name, color]),
    );
    for (const ink of ["ink", "dim", "link", "bad", "good"]) {
      for (const paper of ["paper", "box"]) {
        expect(contrast(colors.get(ink) ?? "", colors.get(paper) ?? "")).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
});

/** WCAG 2.2 contrast ratio of two colours. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [r = 0, g = 0, b = 0] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe("hostile text in HTML", () => {
  const { run: plain, draft: plainDraft } = makeHostile("harmless words");
  const harmless = countTags(exportReport("html", plain, plainDraft));

  it.each(HOSTILE)("adds no element and no attribute that acts: %j", (text) => {
    const { run, draft } = makeHostile(text);
    const html = exportReport("html", run, draft);
    const { A: links = 0, CODE: codes = 0, P: paragraphs = 0, ...tags } = countTags(html);
    const { A = 0, CODE = 0, P = 0, ...expected } = harmless;
    expect(tags).toEqual(expected);
    // An address that may be linked to is a link instead of code; blank lines part an interpretation.
    expect(links + codes).toBe(A + CODE);
    expect(Math.abs(paragraphs - P)).toBeLessThanOrEqual(1);
    expect(attributesOf(html, /^(on.*|style|src.*)$/)).toEqual([]);
    expect(attributesOf(html, /^href$/).filter((href) => !/^(#[\w-]*|https?:\/\/[^"'<>\s]*)$/.test(href))).toEqual([]);
    expect(html.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cs}\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u);
  });
});

/** The run with other metadata of its first source. */
function withKnuth(run: RunRecord, bibliography: SourceRecord["bibliography"]): RunRecord {
  const source = run.sources[KNUTH];
  return source === undefined ? run : { ...run, sources: { ...run.sources, [KNUTH]: { ...source, bibliography } } };
}

describe("references as BibTeX", () => {
  it("carries title, authors, DOI, address, hash and quoted ranges", () => {
    expect(exportReport("bibtex", makeRun(), makeDraft()).split("\n\n")[0]).toBe(`@misc{hypo-1-${KNUTH.slice(0, 8)},
  title = {{The Art of Computer Programming}},
  author = {D. E. Knuth},
  year = {1998},
  date = {1998},
  doi = {10.5555/280635},
  url = {https://books.example/taocp3},
  urldate = {2026-11-30},
  note = {SHA-256 ${KNUTH}; quoted characters 120--155, 900--946}
}`);
  });

  it.each([
    ["2019-02-28", "2019-02-28"],
    ["2019-02-30", undefined],
    ["2019-13", undefined],
    ["2019-11, revised", "2019-11"],
    ["Spring 2019", undefined],
  ])("gives the date %j as %j, and the year of each", (published, date) => {
    const run = makeRun();
    const entry = exportReport("bibtex", withKnuth(run, { title: "T", published }), makeDraft());
    expect(entry).toContain("year = {2019}");
    expect(/  date = \{(.*)\}/.exec(entry)?.[1]).toBe(date);
  });

  it.each(["md", "html", "bibtex"] as const)("has no title or author of which nothing can be seen, as %s", (format) => {
    const told = exportReport(format, withKnuth(makeRun(), { title: "\u2060", authors: ["\u200b", "D. E. Knuth", "\u00ad"] }), makeDraft());
    expect(told).toContain("Untitled document");
    expect(told).toContain("D. E. Knuth");
    expect(told).not.toMatch(/and D\. E\. Knuth|D\. E\. Knuth,|D\. E\. Knuth and/);
  });

  it.each(HOSTILE)("keeps every entry whole: %j", (text) => {
    const { run, draft } = makeHostile(text);
    const entry = exportReport("bibtex", run, draft);
    let depth = 0;
    const depths = Array.from(entry.replaceAll(/[^{}]/g, ""), (brace) => (depth += brace === "{" ? 1 : -1));
    expect(depths.filter((each) => each <= 0)).toEqual([0]);
    expect(depths.at(-1)).toBe(0);
    const withoutOurs = entry.replaceAll(/\\(?:textbackslash|textbraceleft|textbraceright|textasciitilde|textasciicircum)\{\}/g, "");
    expect(withoutOurs).not.toMatch(/\\[a-z]/i);
  });
});
