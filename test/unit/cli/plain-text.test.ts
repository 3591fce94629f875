import { describe, expect, it } from "vitest";
import { isolate, isolateText, plainBlock, plainLine } from "../../../src/cli/output/plain-text.ts";

const ESC = "\u001B";

describe("text written by others is made safe to print", () => {
  it.each([
    ["plain text stays", "Merge sort, n = 5", "Merge sort, n = 5"],
    ["colours are dropped", `${ESC}[31mred${ESC}[0m`, "red"],
    ["the screen cannot be cleared", `a${ESC}[2J${ESC}[Hb`, "ab"],
    ["8-bit CSI is dropped too", "a\u009B2Jb", "ab"],
    ["a link keeps its text and loses its address", `${ESC}]8;;https://evil.example${ESC}\\click${ESC}]8;;${ESC}\\`, "click"],
    ["a title cannot be set", `${ESC}]0;owned\u0007shown`, "shown"],
    ["the clipboard cannot be written", `${ESC}]52;c;ZXZpbA==\u0007ok`, "ok"],
    ["a string that is never ended hides its own line only", `${ESC}]0;x\nnext`, "next"],
    ["a device string is dropped", `${ESC}P1$r0m${ESC}\\ok`, "ok"],
    ["a reset is dropped", `${ESC}cok`, "ok"],
    ["a lone escape at the end is dropped", `ok${ESC}`, "ok"],
    ["a cut CSI at the end is dropped", `ok${ESC}[3`, "ok"],
    ["an 8-bit string opener loses its power", "a\u009D0;t\u009Cb", "a0;tb"],
    ["bells and backspaces are dropped", "pass\b\b\b\bfail\u0007", "passfail"],
    ["a carriage return does not overwrite", "good\rbad", "good bad"],
    ["lines are folded", "one\n\n  two\u2028three", "one two three"],
    ["text is not turned round", "user\u202Egnp.exe", "usergnp.exe"],
    ["isolates are dropped", "a\u2066b\u2069c", "abc"],
    ["invisible letters are dropped", "pay\u200Bpal \u{E0041}x\uFEFF", "paypal x"],
    ["emoji of several parts stay whole", "👩‍🔬 👍🏽", "👩‍🔬 👍🏽"],
    ["combining marks stay", "e\u0301", "e\u0301"],
    ["other scripts stay", "検索 بحث", "検索 بحث"],
    ["half a surrogate pair becomes a replacement mark", "a\uD83Db", "a\uFFFDb"],
  ])("%s", (_why, hostile, shown) => {
    expect(plainLine(hostile)).toBe(shown);
  });

  it("keeps lines and widens tabs in blocks", () => {
    expect(plainBlock(`a\tb\r\nc${ESC}[1m\rd`)).toBe("a  b\nc\nd");
  });

  it("leaves no control behind, whatever the order of the bytes", () => {
    const controls = [ESC, "[", "]", "\u009B", "\u009D", "\u0007", "\\", ";", "8", "m", "\n", "\r"];
    for (let seed = 1; seed < 4000; seed++) {
      let state = seed;
      const text = Array.from({ length: 12 }, () => {
        state = (state * 1103515245 + 12345) % 2147483648;
        return controls[state % controls.length];
      }).join("");
      expect(plainBlock(text)).not.toMatch(/[^\P{Cc}\n]/u);
    }
  });

  it("isolates right-to-left text and leaves other text alone", () => {
    expect(isolate("a بحث في 5")).toBe("a \u2068بحث في\u2069 5");
    expect(isolate("search")).toBe("search");
  });

  it("isolates a sentence as one, with the numbers and foreign words in it", () => {
    expect(isolateText("بحث GPT في 5.")).toBe("\u2068بحث GPT في 5.\u2069");
    expect(isolateText("search 検索 5.")).toBe("search 検索 5.");
  });
});
