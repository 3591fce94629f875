import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { OneAtATime } from "../../../src/domain/one-at-a-time.ts";

describe("what one owner has done, such as the experiments of an agent,", () => {
  it("is done one after the other in the order they were asked for, those of another beside them", async () => {
    const turns = new OneAtATime();
    const seen: string[] = [];
    const work = (name: string, ms: number) => async (): Promise<string> => {
      seen.push(`${name} begins`);
      await sleep(ms);
      seen.push(`${name} ends`);
      return name;
    };
    const all = [turns.run("root.1", work("a", 30)), turns.run("root.1", work("b", 1)), turns.run("root.2", work("c", 1))];
    expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
    expect(seen.filter((each) => !each.startsWith("c"))).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    expect(seen.indexOf("c begins")).toBeLessThan(seen.indexOf("a ends"));
  });

  it("goes on when a piece of it failed", async () => {
    const turns = new OneAtATime();
    const failed = turns.run("root.1", () => Promise.reject(new Error("no disk")));
    const next = turns.run("root.1", () => Promise.resolve("done"));
    await expect(failed).rejects.toThrow("no disk");
    await expect(next).resolves.toBe("done");
  });
});
