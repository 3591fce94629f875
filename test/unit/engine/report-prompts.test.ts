import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/domain/finding.ts";
import { closingPrompt, groupFindings, partPrompt, wholePrompt } from "../../../src/engine/prompts/report-prompts.ts";
import { describeStanding, roomFor } from "../../../src/engine/prompts/standing.ts";
import { emptyRunState, type RunState } from "../../../src/engine/state/run-state.ts";
import { sampleFinding } from "../../support/samples.ts";

const STOP = { reason: "goal_achieved", detail: "it is answered" } as const;

function makeFinding(id: string, changes: Partial<Finding> = {}): Finding {
  return sampleFinding(id, { title: id, statement: `What ${id} says, ${"in many words ".repeat(20)}`, ...changes });
}

function stateWith(findings: Finding[]): RunState {
  const state = emptyRunState();
  for (const finding of findings) state.findings.set(finding.id, { finding, call: "c", note: "n", noteSha256: "" });
  for (let n = 0; n < 300; n += 1) {
    state.questions.set(`q-${n}`, { id: `q-${n}`, text: "What about ".repeat(60), closed: false, answer: undefined, by: [] });
  }
  return state;
}

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `f-${String(n).padStart(10, "0")}`);
}

describe("drafting a report within a model's context", () => {
  const state = stateWith(ids(500).map((id) => makeFinding(id)));
  const room = roomFor({ contextWindow: 32_768 });

  it("shows a 32k-token model 500 findings in parts, each exactly once, in prompts of an eighth of its context", () => {
    const groups = groupFindings(state, room);
    expect(groups.length).toBeGreaterThan(5);
    const prompts = groups.map((_, index) => partPrompt(index + 1, groups, STOP));
    const shown = prompts.flatMap((prompt) => [...prompt.matchAll(/^- (f-\d+)/gm)].map(([, id]) => id));
    expect(shown).toEqual(ids(500));
    for (const prompt of prompts) expect(prompt.length).toBeLessThan(room);
  });

  it("closes such a report from the digests of its parts within the same bound", () => {
    const parts = Array.from({ length: 30 }, (_, n) => ({ part: n + 1, call: "c", sections: [], digest: "long digest ".repeat(100) }));
    const prompt = closingPrompt({ ...state, reportParts: parts }, room);
    expect(prompt.length).toBeLessThan(room + 1000);
    expect(prompt.match(/^- Part \d+: /gm)).toHaveLength(30);
  });

  it("adds later findings at the end, so that a resumed run asks for the same parts", () => {
    const groups = groupFindings(state, room);
    const more = stateWith(ids(520).map((id) => makeFinding(id)));
    expect(groupFindings(more, room).slice(0, groups.length - 1)).toEqual(groups.slice(0, -1));
  });

  it("asks for all at once where one prompt holds them, and then shows every finding", () => {
    const few = stateWith(ids(100).map((id) => makeFinding(id, { statement: "Short." })));
    const large = roomFor({ contextWindow: 200_000 });
    expect(groupFindings(few, large)).toEqual([]);
    const prompt = wholePrompt(few, STOP, large);
    expect([...prompt.matchAll(/^- (f-\d+)/gm)]).toHaveLength(100);
  });

  it("says beside a finding what it contradicts and what contradicts it", () => {
    const pair = stateWith([makeFinding("f-a"), makeFinding("f-b", { related: [{ kind: "contradicts", to: "f-a" }] })]);
    const prompt = wholePrompt(pair, STOP, roomFor({ contextWindow: 200_000 }));
    expect(prompt).toMatch(/f-a .*\(contradicted by f-b\)$/m);
    expect(prompt).toMatch(/f-b .*\(contradicts f-a\)$/m);
  });

  it("keeps the digest of an iteration within the room, and says how much is left out", () => {
    const digest = describeStanding(state, room);
    expect(digest.length).toBeLessThanOrEqual(room);
    expect(digest).toMatch(/^- \(\d+ earlier ones left out\)$/m);
  });
});
