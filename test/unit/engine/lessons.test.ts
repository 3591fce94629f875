import { describe, expect, it } from "vitest";
import type { MemoryHit } from "../../../src/domain/ports.ts";
import { chooseLines } from "../../../src/engine/prompts/lessons.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

function hit(over: Partial<MemoryHit>): MemoryHit {
  return {
    id: "s-1",
    type: "synthesis",
    status: "inferred",
    title: "Does caching help?",
    snippet: "It **halves** the\nlatency.",
    path: "syntheses/a.md",
    run: "r-1",
    created: "2026-02-20T12:00:00Z",
    score: 10,
    related: [],
    ...over,
  };
}

describe("what earlier runs found", () => {
  it("is told with type, status and age", () => {
    expect(chooseLines([hit({}), hit({ id: "l-2", type: "lesson", status: "outdated", created: "" })], NOW)).toEqual([
      "- s-1 [synthesis, inferred, 1 week old] Does caching help?: It **halves** the latency.",
      "- l-2 [lesson, outdated] Does caching help?: It **halves** the latency.",
    ]);
  });

  it("leaves out what answers far less than the best note", () => {
    expect(chooseLines([hit({ score: 10 }), hit({ score: 2.5 }), hit({ score: 2.4 })], NOW)).toHaveLength(2);
    expect(chooseLines([], NOW)).toEqual([]);
  });

  it("keeps to its budget, the best first", () => {
    const many = Array.from({ length: 20 }, (_, index) => hit({ id: `s-${index}`, score: 30 - index, snippet: "x".repeat(5000) }));
    const lines = chooseLines(many, NOW);
    expect(lines.join("\n").length).toBeLessThanOrEqual(4800);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines[0]).toContain("s-0 ");
  });
});
