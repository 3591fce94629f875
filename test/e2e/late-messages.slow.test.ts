import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { EventType, Fact } from "../../src/domain/events.ts";
import { call, say, together } from "../support/scenario.ts";
import { answerAlone, withHeldWorld, type HeldScript } from "./support/held-world.ts";

const spawn = (name: string, goal: string) => call("spawn_agent", { name, goal, background: true });

/** One agent never answers, another gives its only answer when it is let, and the supervisor finishes when it is let. */
const script: HeldScript = async (turn, { site, hold }) => {
  if (turn.agent.id === "root.1") await hold.at("never");
  if (turn.agent.id === "root.2") {
    if (turn.answers === 0) await hold.at("only answer");
    return say(`Shell, ${turn.lastUser.includes("Add the year") ? "in 1959" : "some day"}.`);
  }
  if (turn.answers === 0)
    return together(spawn("Hanging", "Count swaps of bubble sort."), spawn("Quick", "Find the inventor of shellsort."));
  if (turn.answers === 1) return call("agent_control", { action: "wait" });
  if (turn.has("publish_finding") && !turn.has("research_control")) await hold.at("finish");
  return answerAlone(turn, site);
};

it("a message in an agent's last step reaches it, or is answered as not delivered", async () => {
  await withHeldWorld(script, async ({ project, model, hold, hypo, fact, facts }) => {
    const running = project.start(["run", "How many comparisons does merge sort need?"], { timeoutMs: 230_000 });
    await Promise.all([hold.untilReached("never"), hold.untilReached("only answer")]);

    // With the only answer of an agent: it is asked once more, and its result heeds the message.
    await hypo(["steer", "last", "root.2", "Add the year."]);
    hold.release("only answer");
    const quick = await fact((each) => each.type === "agent_finished" && each.data.agent === "root.2");
    expect(quick.data).toMatchObject({ outcome: "completed", result: "Shell, in 1959." });

    // To an agent that ends without another answer.
    expect((await hypo(["steer", "last", "root.1", "Stop counting."])).stdout).toContain("gets the message");
    await hypo(["cancel", "last", "root.1"]);
    const unread = await fact((each) => each.type === "message_undelivered");
    expect(unread.data).toMatchObject({ agent: "root.1", by: "person", message: expect.stringContaining("Stop counting.") as string });
    const ended = (await facts()).find((each) => each.type === "agent_finished" && each.data.agent === "root.1");
    expect(ended?.seq).toBe(unread.seq + 1);
    expect((await hypo(["steer", "last", "root.1", "Too late."], 1)).stderr).toContain("root.1 has ended (cancelled)");

    // With the answer that finishes the research: it is heard before the report.
    await hold.untilReached("finish");
    await hypo(["steer", "last", "root", "Name your sources."]);
    hold.release("finish");
    expect(await running.ended).toMatchObject({ code: 0 });
    const heard = model.requests.findLast(({ agent }) => agent === "root")?.request.messages ?? [];
    const places = ["Name your sources.", "Write the report now"].map((words) => heard.findIndex(({ text }) => text.includes(words)));
    expect(places[0]).toBeGreaterThan(0);
    expect(places[0]).toBeLessThan(places[1] ?? 0);
    // The parent was told what its agent has not read.
    expect(
      heard.some(({ text }) =>
        text.includes("It ended without having read: Message from the person who asked the question: Stop counting."),
      ),
    ).toBe(true);

    const all = await facts();
    const run = await project.run();
    const requests = (type: EventType): string[] =>
      all.flatMap(({ type: is, data }: Fact) => (is === type && "request" in data && data.request?.startsWith("c-") ? [data.request] : []));
    const answers = async (type: EventType): Promise<boolean[]> =>
      Promise.all(
        requests(type).map(
          async (id) => (JSON.parse(await readFile(join(run.path, "control", `${id}.ack.json`), "utf8")) as { ok: boolean }).ok,
        ),
      );
    expect([await answers("agent_steered"), await answers("message_undelivered")]).toEqual([[true, true], [false]]);
    expect((await hypo(["log", "last"])).stdout).toContain("ended without having read what its person wrote");
    expect((await hypo(["steer", "last", "root", "Too late."], 1)).stderr).toContain("root has ended (completed)");
  });
});
