import { describe, expect, it } from "vitest";
import { dropComments, dropElements, dropTags, readTitle } from "../../../src/gateway/read/markup.ts";
import { listPageLinks } from "../../../src/gateway/read/page-links.ts";
import { describeAnswer } from "../../../src/gateway/read/soft-404.ts";
import { toSnippet } from "../../../src/gateway/search/provider.ts";

describe("HTML that is not parsed", () => {
  it.each([
    ["loses its comments", dropComments("a<!-- x <b> -->b<!--c-->d"), "abd"],
    ["loses all behind a comment without end", dropComments("a<!-- x"), "a"],
    ["loses its tags", dropTags("a<b>c</b>d"), "a c d"],
    ["loses all behind a tag without end", dropTags("a<b c"), "a "],
    ["loses scripts with what is in them", dropTags(dropElements("a<SCRIPT>x<b></script >b", ["script"])), "a  b"],
    ["loses all behind a script without end", dropElements("a<script>b", ["script"]), "a "],
    ["keeps elements whose names only begin so", dropElements("<scripture>b", ["script"]), "<scripture>b"],
    ["has a title", readTitle('<head><TITLE lang="en"> A title </title>'), "A title"],
    ["has none", readTitle("<titles>x</titles>"), ""],
  ])("%s", (_, found, expected) => expect(found).toBe(expected));

  it.each(["<!--", "<script", "<x", "<title", "<a ", "<base ", "<a href", '<a href="'])(
    "is looked at in bounded time where it is %s without end",
    (piece) => {
      const html = piece.repeat(300_000);
      const began = performance.now();
      listPageLinks(Buffer.from(html), "text/html", "https://e.org/");
      describeAnswer(html, "https://e.org/");
      toSnippet(html);
      expect(performance.now() - began).toBeLessThan(10_000);
    },
  );
});
