import { describe, expect, it } from "vitest";
import { replayTimes } from "../../../src/cli/runs/replay-times.ts";
import { HypoError } from "../../../src/domain/errors.ts";

const cancelled = new HypoError("replay_impossible", "The replay was cancelled.");

describe("replaying several times", () => {
  it("ends without an error where a person ends it, and leaves what was replayed until then", async () => {
    const person = new AbortController();
    const made: number[] = [];
    await replayTimes(3, person.signal, async (time) => {
      if (time === 2) {
        person.abort();
        throw cancelled;
      }
      made.push(time);
    });
    expect(made).toEqual([1]);
  });

  it.each([
    ["nobody ended it", cancelled, false],
    ["what was replayed could not be kept", new HypoError("storage_failed", "The disk is full."), true],
  ])("says what went wrong where %s", async (_what, error, ends) => {
    const person = new AbortController();
    const work = replayTimes(3, person.signal, async () => {
      if (ends) person.abort();
      throw error;
    });
    await expect(work).rejects.toBe(error);
  });
});
