import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Fact } from "../../src/domain/events.ts";
import type { Project } from "../support/hypo.ts";
import { call, together } from "../support/scenario.ts";
import { answerAlone, spawn } from "./support/parts.ts";
import { askQuestion, resumeLast, withWorld, type Outcome, type Script } from "./support/world.ts";

const COST = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 0 };
const CAP = 0.4;

type Note = Awaited<ReturnType<Project["notes"]>>[number];

/** Everybody's answers are as long as they may be, and nearly every byte asked is a token: four times what tokenizers make. */
const lavish: Script = (turn, site) => {
  const { bytes, maxTokens = 0 } = turn.request;
  const usage = { input: Math.floor(bytes * 0.9), output: maxTokens };
  if (turn.agent.id !== "root") return { ...call("find", { glob: `*.${turn.agent.id}.${turn.answers}` }), usage };
  if (turn.answers > 0) return { ...answerAlone(turn, site), usage };
  const spawns = ["heaps", "radix sort", "shellsort"].map((what) => spawn(what, `Find out everything about ${what}.`));
  return { ...together(...spawns), usage };
};

describe("a run whose money runs out", () => {
  let outcome: Outcome;
  let resumed: Outcome;
  let billed: number;
  let lessons: { short: Note[]; resumed: Note[] };
  let verified: string;

  beforeAll(async () => {
    await withWorld(
      lavish,
      async (world) => {
        outcome = await askQuestion(world);
        billed = world.model.requests
          .filter((request) => request.outcome === "answered")
          .reduce(
            (sum, { answer }) => sum + ((answer?.usage?.input ?? 0) * COST.input + (answer?.usage?.output ?? 0) * COST.output) / 1e6,
            0,
          );
        const keptLessons = async () => (await world.project.notes()).filter(({ path }) => path.startsWith("lessons/"));
        const short = await keptLessons();
        resumed = await resumeLast(world, ["--max-cost", "9"]);
        lessons = { short, resumed: await keptLessons() };
        verified = (await world.project.hypo(["verify", "last"])).stdout;
      },
      { config: { budget: { usd: CAP } }, agentDir: { cost: COST } },
    );
  });

  it("ends with exit code 3 and a report written by code", () => {
    expect(outcome.code).toBe(3);
    expect(outcome.all("run_finished")).toEqual([
      expect.objectContaining({ state: "stopped", reason: "budget_exhausted", answered: false }),
    ]);
    expect(outcome.stderr).toMatch(/The run ended without an answer: budget_exhausted: .* of 0\.4 USD/);
    expect(outcome.all("report_written")).toEqual([expect.objectContaining({ by: "code", why_code: "the run ended by budget_exhausted" })]);
    expect(outcome.report).toContain("Stopped: budget_exhausted.");
  });

  it("keeps one lesson, which is written anew when the run has gone on", () => {
    expect(lessons.short).toHaveLength(1);
    expect(lessons.resumed.map(({ path }) => path)).toEqual(lessons.short.map(({ path }) => path));
    expect(lessons.resumed).not.toEqual(lessons.short);
    expect(verified).toContain("Nothing diverges.");
  });

  it("never holds more than the cap, spent and reserved together", () => {
    expect(Math.max(...committedAfterEach(outcome.facts))).toBeLessThanOrEqual(CAP);
    expect(billed).toBeGreaterThan(CAP / 4);
    expect(billed).toBeLessThanOrEqual(CAP);
  });

  it("reserves for each answer at least what it comes to cost", () => {
    const reserved = new Map(outcome.all("spend_reserved").map(({ reservation, usd, tokens }) => [reservation, { usd, tokens }]));
    const answers = outcome.all("model_answered");
    expect(answers.length).toBeGreaterThan(3);
    for (const { reservation, usage } of answers) {
      expect(usage.usd).toBeLessThanOrEqual(reserved.get(reservation)?.usd ?? 0);
      expect(usage.input + usage.output).toBeLessThanOrEqual(reserved.get(reservation)?.tokens ?? 0);
    }
  });

  it("goes on to its answer when it is resumed with more", () => {
    expect(resumed.code).toBe(0);
    expect(resumed.all("run_resumed")).toEqual([expect.objectContaining({ reopens: true, budget: expect.objectContaining({ usd: 9 }) })]);
    expect(resumed.all("run_finished").at(-1)).toMatchObject({ reason: "goal_achieved", answered: true });
    expect(resumed.all("report_written").at(-1)).toMatchObject({ by: "supervisor" });
  });
});

/** US dollars spent and reserved after each fact, counted here by the rules of the journal. */
function committedAfterEach(facts: Fact[]): number[] {
  const reserved = new Map<string, number>();
  let spent = 0;
  return facts.map((fact) => {
    if (fact.type === "spend_reserved") reserved.set(fact.data.reservation, fact.data.usd);
    if (fact.type === "model_answered" || fact.type === "spend_charged") {
      reserved.delete(fact.data.reservation);
      spent += fact.type === "model_answered" ? fact.data.usage.usd : fact.data.usd;
    }
    return [...reserved.values()].reduce((sum, usd) => sum + usd, spent);
  });
}

describe("a model whose price nobody knows", () => {
  const withoutPrice = async (world: Parameters<Parameters<typeof withWorld>[1]>[0]): Promise<void> => {
    const provider = {
      baseUrl: world.model.url,
      api: "openai-completions",
      apiKey: "scripted-key",
      compat: { sendSessionAffinityHeaders: true, supportsDeveloperRole: false },
      models: [{ id: "scripted", name: "Scripted", reasoning: false, input: ["text"], contextWindow: 200_000, maxTokens: 8192 }],
    };
    await writeFile(join(world.project.agentDir, "models.json"), JSON.stringify({ providers: { scripted: provider } }));
  };

  it("is not asked where the run has a cap in dollars", async () => {
    await withWorld(answerAlone, async (world) => {
      await withoutPrice(world);
      const outcome = await askQuestion(world);
      expect(world.model.requests).toHaveLength(0);
      expect(outcome.code).toBe(3);
      expect(outcome.stderr).toContain("budget_exhausted: the price of scripted/scripted is not known");
    });
  });

  it("is asked where the cap is lifted", async () => {
    const config = { budget: { usd: null } };
    await withWorld(
      answerAlone,
      async (world) => {
        await withoutPrice(world);
        expect((await askQuestion(world)).code).toBe(0);
      },
      { config },
    );
  });
});
