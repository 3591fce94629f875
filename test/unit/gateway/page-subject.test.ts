import { expect, it } from "vitest";
import { parsePage } from "../../../src/gateway/extract/dom.ts";
import { hasOneSubject } from "../../../src/gateway/extract/page-subject.ts";

it.each([
  ['<meta property="og:type" content="article">', true],
  ['<meta property="og:type" content="og:product">', true],
  ['<script type="application/ld+json">{"@type": ["NewsArticle"]}</script>', true],
  ['<script type="application/ld+json">{"@graph": [{"@type": "DiscussionForumPosting"}]}</script>', true],
  ['<meta property="og:type" content="website">', false],
  ['<script type="application/ld+json">{"@type": "Organization"}</script>', false],
  ['<script>var type = {"@type": "Article"}</script>', false],
  ["", false],
])("a page that says %s is about one thing: %s", (head, expected) => {
  expect(hasOneSubject(parsePage(`<html><head>${head}</head><body>Words</body></html>`))).toBe(expected);
});
