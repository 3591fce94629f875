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
  ['<div itemscope itemtype="https://schema.org/QAPage"></div>', true],
  ['<div itemtype="http://schema.org/BlogPosting"></div>', true],
  ['<div itemtype="http://schema.org/BlogPosting"></div><div itemtype="http://schema.org/BlogPosting"></div>', false],
  ['<div itemtype="https://schema.org/ItemList"></div>', false],
])("a page that says %s is about one thing: %s", (head, expected) => {
  expect(hasOneSubject(parsePage(`<html><head>${head.startsWith("<div") ? "" : head}</head><body>Words${head}</body></html>`))).toBe(
    expected,
  );
});
