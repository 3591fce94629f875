import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNamedAfter, notePath } from "../../../src/memory/notes/note-path.ts";
import { anyText } from "./findings.ts";

const SCRIPTS = {
  Latin: "Größenänderung café ",
  Greek: "Ανάλυση δεδομένων ",
  Cyrillic: "Исследование кэша ",
  Arabic: "تحليل البيانات ",
  Hebrew: "ניתוח נתונים ",
  Devanagari: "डेटा विश्लेषण ",
  Thai: "การวิเคราะห์ข้อมูล",
  Chinese: "数据分析研究",
  Japanese: "データ分析の研究",
  Korean: "데이터 분석 연구 ",
  emoji: "🧪👩‍🔬🏳️‍🌈",
  "path tricks": '../../etc/passwd\\..\\con:nul|?*"<>',
};

describe("file names of notes", () => {
  it.each(Object.entries(SCRIPTS))("are valid and short for titles of 300 characters in %s", (_, piece) => {
    const title = piece.repeat(300).slice(0, 300);
    const path = notePath("findings", title, "f-0123456789");
    const name = path.slice("findings/".length);
    expect(Buffer.byteLength(name)).toBeLessThan(200);
    expect(name).toMatch(/^[\p{L}\p{M}\p{N}-]+\.md$/u);
    expect(name).toBe(name.toLowerCase());
    expect(name.isWellFormed()).toBe(true);
    expect(isNamedAfter(path, "f-0123456789")).toBe(true);
  });

  it("keep the words of a title readable in its own script", () => {
    expect(notePath("questions", "Was kostet die Größe?", "q-1")).toBe("questions/was-kostet-die-größe-q-1.md");
    expect(notePath("findings", "数据分析", "f-1")).toBe("findings/数据分析-f-1.md");
    expect(notePath("findings", "!!!", "f-1")).toBe("findings/note-f-1.md");
  });

  it("differ for different ids, also where capitals do not count", () => {
    const id = fc.oneof(
      fc.stringMatching(/^[fF]-[0-9a-fA-F]{2}$/),
      anyText(4).filter((text) => text !== ""),
    );
    fc.assert(
      fc.property(anyText(12), id, id, (title, a, b) => {
        fc.pre(a !== b);
        expect(notePath("findings", title, a).toLowerCase()).not.toBe(notePath("findings", title, b).toLowerCase());
      }),
    );
  });

  it("are valid for any title and any id", () => {
    fc.assert(
      fc.property(anyText(400), anyText(12), (title, id) => {
        const path = notePath("findings", title, id);
        expect(path).toMatch(/^findings\/[\p{L}\p{M}\p{N}-]+\.md$/u);
        expect(Buffer.byteLength(path)).toBeLessThan(200);
      }),
    );
  });
});
