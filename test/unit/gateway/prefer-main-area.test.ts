import { describe, expect, it } from "vitest";
import { preferMainArea } from "../../../src/gateway/extract/prefer-main-area.ts";

/** Distinct words `w<from>` to `w<to>`. */
function text(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => `w${from + index}`).join(" ");
}

describe("what was found on a page of many parts", () => {
  const PROSE = 0.5;
  it.each<[what: string, part: string, shares: { prose?: number; links?: number }, area: string, expected: "area" | "part"]>([
    ["is widened to the main area that holds it", text(0, 100), {}, text(0, 250), "area"],
    ["is widened where it is a short introduction", text(0, 100), { prose: 1 }, text(0, 250), "area"],
    ["stands where it is nearly all of the area", text(0, 200), {}, text(0, 250), "part"],
    ["stands where the area is so large that it holds something else", text(0, 100), {}, text(0, 600), "part"],
    ["stands where it lies outside the area", text(500, 600), {}, text(0, 90), "part"],
    ["stands where it is long", text(0, 1200), {}, text(0, 2400), "part"],
    ["stands where it reads as an article", text(0, 400), { prose: 0.9 }, text(0, 900), "part"],
    ["stands where there is no area", text(0, 400), {}, "", "part"],
    ["gives way where it is a list without prose that lost items", text(0, 1200), { prose: 0.05 }, text(0, 1500), "area"],
    ["gives way where it is a list with something else in it", text(0, 1200), { prose: 0 }, text(100, 1100), "area"],
    ["stands where it is a list of links, which menus are, too", text(0, 1200), { prose: 0, links: 0.8 }, text(0, 1500), "part"],
    ["gives way where it is the area and what surrounds it", text(0, 1000), {}, text(0, 700), "area"],
    ["stands where the area is too small a part of it", text(0, 1000), {}, text(0, 500), "part"],
    ["stands where it is the area and little more", text(0, 1000), {}, text(0, 900), "part"],
    ["gives way where it is a line beside the area", text(500, 510), { links: 0.6 }, text(0, 50), "area"],
  ])("%s", (_, part, { prose: proseShare = PROSE, links: linkShare = 0 }, area, expected) => {
    const taken = preferMainArea({ content: part, linkShare, proseShare }, area);
    expect(taken === part ? "part" : "area").toBe(expected);
  });
});
