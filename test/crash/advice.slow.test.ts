import { readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentScript, call } from "../support/scenario.ts";
import { expectEnd, withRig, type Rig } from "./support/rig.ts";

/** The supervisor makes the same failing call again and again. */
const circling = (): ReturnType<typeof agentScript> => agentScript(() => call("web_read", { url: "http://127.0.0.1:1/closed" }));

/** How often the resumed supervisor was advised, by the journal and by what its model has read. */
async function countAdvice(rig: Rig): Promise<{ recorded: number; read: number }> {
  expectEnd(await rig.resume(), { code: 3 });
  const run = await rig.run();
  const advice = (await run.factsOf("agent_steered")).filter(({ data }) => data.message.includes("You have made the same web_read call"));
  expect(await run.factsOf("run_stopping")).toMatchObject([{ data: { reason: "no_progress" } }]);
  const last = rig.model.requests.at(-1)?.request.messages ?? [];
  return { recorded: advice.length, read: last.filter(({ text }) => text.includes("You have made the same web_read call")).length };
}

describe("an agent that goes round in a circle is told so once", () => {
  test.each(["model.answered:4", "model.recorded:4", "tool.started:4", "tool.recorded:5"])(
    "also when hypo is killed at %s",
    async (crashAt) => {
      await withRig({ script: circling }, async (rig) => {
        expectEnd(await rig.hypo(["run", "Is it open?"], { crashAt }), { signal: "SIGKILL" });
        expect(await countAdvice(rig)).toEqual({ recorded: 1, read: 1 });
      });
    },
  );

  test("also when the answer that it came with was recorded and it was not", async () => {
    await withRig({ script: circling }, async (rig) => {
      expectEnd(await rig.hypo(["run", "Is it open?"], { crashAt: "model.recorded:4" }), { signal: "SIGKILL" });
      const file = join((await rig.run()).path, "journal.jsonl");
      const text = await readFile(file, "utf8");
      const advice = text.lastIndexOf("\n", text.indexOf('"agent_steered"')) + 1;
      expect(text.slice(advice)).toMatch(/^[^\n]*You have made the same web_read call 3 times[^\n]*\n$/);
      await truncate(file, Buffer.byteLength(text.slice(0, advice)));
      expect(await countAdvice(rig)).toEqual({ recorded: 1, read: 1 });
    });
  });
});
