import { describe, expect, it } from "vitest";
import { undoLineHyphens } from "../../../src/gateway/extract/line-hyphens.ts";

describe("a word that a line end has cut", () => {
  it.each([
    ["is put together on the line that it began on", "an exam-\nple of it", "an example\nof it"],
    ["takes its comma along", "an exam-\nple, say", "an example,\nsay"],
    ["leaves no empty line behind", "an exam-\nple\nof it", "an example\nof it"],
    ["is put together at the end", "an exam-\nple", "an example"],
    ["is put together at a soft hyphen", "an exam\u00ad\nple of it", "an example\nof it"],
    ["keeps a hyphen that it has elsewhere", "well-known; a well-\nknown case", "well-known; a well-known\ncase"],
    ["loses a hyphen that it has not always", "co-operate, cooperate: they co-\noperate now", "co-operate, cooperate: they cooperate\nnow"],
    ["stays where a name goes on", "by Smith-\nJones", "by Smith-\nJones"],
    ["stays where a number goes on", "pages 10-\n20", "pages 10-\n20"],
    ["stays where a dash stands apart", "so -\nand so", "so -\nand so"],
    ["is known in any script", "при-\nмер тут", "пример\nтут"],
  ])("%s", (_, text, expected) => expect(undoLineHyphens([text])).toEqual([expected]));

  it("is compared with what stands on other pages", () =>
    expect(undoLineHyphens(["a state-\nof", "a state-of mind"])).toEqual(["a state-of", "a state-of mind"]));
});
