import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/domain/events.ts";
import { call, together } from "../support/scenario.ts";
import { answerAlone, withHeldWorld, type HeldScript } from "./support/held-world.ts";

const alone: HeldScript = (turn, { site }) => answerAlone(turn, site);
const QUESTION = "How many comparisons does merge sort need?";

interface BranchList {
  branches: { branch: string; head: number; state: string }[];
}

describe("branches of a run", () => {
  it("are begun at any fact, go on side by side in one process, and leave each other and the spend alone", async () => {
    await withHeldWorld(alone, async ({ project, hypo, facts, model }) => {
      await hypo(["run", QUESTION]);
      const main = await facts();
      const read = main.find((fact) => fact.type === "tool_finished" && fact.data.tool === "web_read")?.seq ?? 0;
      const report = await (await project.run()).report();
      await hypo(["fork", "last", "--from", String(read), "--as", "a", "--reason", "another look"]);
      await hypo(["fork", "last", "--from", "2", "--as", "b"]);
      expect((await hypo(["fork", "last", "--from", "1", "--as", "c"], 2)).stderr).toContain(
        "There is no fact 1 that a branch could go on from",
      );
      expect((await hypo(["fork", "last", "--from", "3", "--as", "../c"], 2)).stderr).toContain("cannot name a branch");
      expect(await facts()).toEqual(main);

      const refused = await hypo(["resume", "last"], 2);
      expect(refused.stderr).toContain("The run has 3 branches: main, a, b.");
      const asked = model.requests.length;
      await hypo(["resume", "last", "--branch", "a", "--branch", "b"]);
      expect(model.requests.length).toBeGreaterThan(asked);

      const all = await facts();
      expect(all.slice(0, main.length)).toEqual(main);
      const listed = JSON.parse((await hypo(["branches", "last", "--json"])).stdout) as BranchList;
      expect(listed.branches.map(({ branch, state }) => [branch, state])).toEqual([
        ["main", "completed"],
        ["a", "completed"],
        ["b", "completed"],
      ]);
      expect(listed.branches[0]?.head).toBe(main.at(-1)?.seq);
      // The page that branch a had read already is not read again, and the one that b begins with is.
      const reads = (branch: string): number =>
        all.filter((fact) => fact.branch === branch && fact.type === "tool_started" && fact.data.tool === "web_read").length;
      expect([reads("a"), reads("b")]).toEqual([0, 1]);
      const findings = all.flatMap((fact) => (fact.type === "finding_published" ? [fact.data.finding.id] : []));
      expect(new Set(findings).size).toBe(3);
      expect(await (await project.run()).report()).toBe(report);
      const tokens = all.reduce((sum, fact) => sum + tokensOf(fact), 0);
      const [shown, side] = [await show(["last"]), await show(["last", "--branch", "a"])];
      expect([shown.spend.tokens, side.spend.tokens]).toEqual([tokens, tokens]);
      expect([shown.branch, side.branch]).toEqual(["main", "a"]);

      const log = (await hypo(["log", "last", "--branch", "a", "--json"])).stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Fact);
      const onA = log.filter((record) => "seq" in record);
      expect(onA.map(({ seq }) => seq).slice(0, read)).toEqual(main.slice(0, read).map(({ seq }) => seq));
      expect(new Set(onA.slice(read).map(({ branch }) => branch))).toEqual(new Set(["a"]));
      expect((await hypo(["log", "last", "--type", "finding_publish"], 2)).stderr).toContain("Did you mean finding_published?");

      async function show(args: string[]): Promise<{ branch: string; spend: { tokens: number } }> {
        return JSON.parse((await hypo(["show", ...args, "--json"])).stdout) as { branch: string; spend: { tokens: number } };
      }
    });
  });

  it("are rewound without losing a record, and go on from there to another end", async () => {
    await withHeldWorld(alone, async ({ hypo, facts, model }) => {
      await hypo(["run", QUESTION]);
      const before = await facts();
      expect((await hypo(["resume", "last"], 1)).stderr).toContain("is over (goal_achieved");
      expect((await hypo(["rewind", "last", "--branch", "main", "--to", "99999"], 2)).stderr).toContain(
        "Fact 99999 does not lie on this branch",
      );
      expect((await hypo(["rewind", "last", "--branch", "main"], 2)).stderr).toContain("needs exactly one of");
      const rewound = await hypo(["rewind", "last", "--branch", "main", "--to-iteration", "1", "--mode", "before", "--json"]);
      expect(JSON.parse(rewound.stdout)).toMatchObject({ from: before.at(-1)?.seq, head: 2, moved: true });
      const asked = model.requests.length;
      await hypo(["resume", "last"]);
      expect(model.requests.length).toBeGreaterThan(asked);
      const after = await facts();
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after[before.length]).toMatchObject({ type: "run_resumed", parent: 2, branch: "main" });
      const findings = after.flatMap((fact) => (fact.type === "finding_published" ? [fact.data.finding.id] : []));
      expect(new Set(findings).size).toBe(2);
      const shown = JSON.parse((await hypo(["show", "last", "--json"])).stdout) as { state: string; findings: unknown[] };
      expect(shown).toMatchObject({ state: "completed" });
      expect(shown.findings).toHaveLength(1);
      expect((await hypo(["rewind", "last", "--branch", "main", "--to-compatible"])).stdout).toContain("already");

      // Set to work at once.
      const again = await hypo(["rewind", "last", "--branch", "main", "--to-iteration", "1", "--mode", "before", "--start"]);
      expect(again.stderr).toContain("The head of main went from fact");
      expect(again.stdout).toContain("Merging takes at most n - 1 comparisons.");
      expect((await facts()).at(-1)).toMatchObject({ type: "run_finished", branch: "main" });
      expect((await facts()).slice(0, after.length)).toEqual(after);
    });
  });
});

describe("a gate", () => {
  /** On branch side the supervisor puts two decisions to the person at once; on the others it goes its way. */
  const asking: HeldScript = (turn, { site }) => {
    if (!turn.request.session?.includes(".side.") || turn.answers > 0) return answerAlone(turn, site);
    const ask = (prompt: string) => call("research_control", { action: "ask_user", prompt });
    return together(ask("What is to be counted?"), ask("On which arrays?"));
  };

  it("blocks its branch alone, and the next one waits behind it", async () => {
    await withHeldWorld(asking, async ({ project, hypo, fact, facts }) => {
      await hypo(["run", QUESTION]);
      for (const name of ["side", "plain"]) await hypo(["fork", "last", "--from", "2", "--as", name]);
      const both = ["resume", "last", "--branch", "side", "--branch", "plain", "--on-gate", "wait"];
      const running = project.start(both, { timeoutMs: 230_000 });
      await fact(({ type, branch }) => type === "run_finished" && branch === "plain");
      await fact(({ type }) => type === "gate_opened");
      await fact((each) => each.type === "gate_opened" && each.data.prompt === "On which arrays?");
      const [first, second] = (await facts()).filter(({ type }) => type === "gate_opened").map(({ seq }) => String(seq));
      const respond = (seq: string | undefined, output: string, code = 0) =>
        hypo(["respond", "last", seq ?? "", "--output", JSON.stringify(output)], code);
      expect((await respond(second, "short", 1)).stderr).toContain(`Gate ${second} waits behind gate ${first}`);
      await respond(first, "comparisons");
      await fact(({ type }) => type === "gate_answered");
      await respond(second, "short");
      expect(await running.ended).toMatchObject({ code: 0 });
      expect((await respond(first, "moves", 1)).stderr).toContain("and the run has gone on from that");
      const ends = (await facts()).filter(({ type }) => type === "run_finished").map(({ branch }) => branch);
      expect(ends).toEqual(["main", "plain", "side"]);
    });
  });

  it("leaves its branch with exit code 8 where nobody waits, and the answer lets it go on", async () => {
    await withHeldWorld(asking, async ({ hypo, facts }) => {
      await hypo(["run", QUESTION]);
      for (const name of ["side", "plain"]) await hypo(["fork", "last", "--from", "2", "--as", name]);
      const left = await hypo(["resume", "last", "--branch", "side", "--branch", "plain"], 8);
      expect((await facts()).filter(({ type }) => type === "run_finished").map(({ branch }) => branch)).toEqual(["main", "plain"]);
      const gate = (await facts()).find(({ type }) => type === "gate_opened");
      expect(left.stderr).toMatch(new RegExp(`hypo respond \\S+ ${gate?.seq} --event ANSWER --output`));
      await hypo(["respond", "last", String(gate?.seq), "--output", '"comparisons"']);
      await hypo(["resume", "last", "--branch", "side", "--on-gate", "fail"], 3);
      expect((await facts()).at(-1)).toMatchObject({ type: "run_finished", branch: "side", data: { reason: "user_decision_required" } });
    });
  });
});

function tokensOf(fact: Fact): number {
  if (fact.type !== "model_answered") return 0;
  const { input, output, cache_read, cache_write } = fact.data.usage;
  return input + output + cache_read + cache_write;
}
