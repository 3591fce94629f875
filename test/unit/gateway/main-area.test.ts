import { describe, expect, it } from "vitest";
import { parsePage } from "../../../src/gateway/extract/dom.ts";
import { findMainArea } from "../../../src/gateway/extract/main-area.ts";

const CARDS = Array.from({ length: 12 }, (_, index) => `<div class="card"><h3>Product ${index}</h3><p>What it is good for.</p></div>`).join(
  "",
);
const CONTENT = `<h1>All products</h1>${CARDS}`;

/** Words of the main area of a page. */
function areaOf(body: string): string {
  return findMainArea(parsePage(`<html><body>${body}</body></html>`).body)
    .textContent.replace(/\s+/g, " ")
    .trim();
}

const whole = areaOf(CONTENT);

describe("the main area of a page", () => {
  it("holds every card of a grid", () => {
    expect(whole.match(/Product \d+/g)).toHaveLength(12);
  });

  it.each([
    ["a menu", `<nav>Home</nav>${CONTENT}`],
    ["a menu that only its name tells", `<div class="site-nav">Home</div>${CONTENT}<div id="footerMenu">Jobs</div>`],
    ["a list of links before the heading", `<div><ul><li><a>Home</a></li><li><a>Shop</a></li></ul></div><div>${CONTENT}</div>`],
    ["a cookie notice", `${CONTENT}<div class="cookie-banner">We value your privacy.</div>`],
    ["a dialog", `${CONTENT}<div role="dialog">Subscribe!</div>`],
    ["a control", `<button>Buy</button>${CONTENT}<select><option>By price</option></select>`],
    ["a filter", `<div class="filters">Colour</div>${CONTENT}`],
    ["what is hidden", `<p hidden>Loading</p>${CONTENT}<p style="display: none">Error</p>`],
    ["the head and foot of the page", `<header>Shop</header>${CONTENT}<footer>Company</footer>`],
    ["what stands beside main", `<div>Shop</div><main>${CONTENT}</main><div>Company</div>`],
    ["a script", `${CONTENT}<script>const words = 1;</script>`],
  ])("leaves out %s", (_, body) => {
    expect(areaOf(body)).toBe(whole);
  });

  it.each([
    ["the head of a card", `<h1>Posts</h1><article><header><h2>First</h2></header><p>Words.</p></article>`, "First"],
    ["a card with a name that only resembles a menu's", `<h1>Services</h1><div class="nested-nav-card">Consulting</div>`, "Consulting"],
    ["content that is shown by a script", `<h1>News</h1><div style="display:none">${"All the news of today. ".repeat(20)}</div>`, "today"],
    [
      "a page that is one large form of a doubtful name",
      `<div class="filters"><h1>Colours</h1>${"Red and green. ".repeat(40)}</div>`,
      "green",
    ],
    ["what stands beside a main of no words", `<main>Loading</main><div>${CONTENT}</div>`, "Product 11"],
  ])("keeps %s", (_, body, kept) => {
    expect(areaOf(body)).toContain(kept);
  });
});
