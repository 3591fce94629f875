import { EventEmitter } from "node:events";
import { afterEach, describe, expect, it, vi } from "vitest";
import { watchOutput } from "../../../src/cli/lost-output.ts";
import { withSignals } from "../../../src/cli/signals.ts";
import { StartGuard } from "../../../src/cli/start-guard.ts";

afterEach(() => void vi.restoreAllMocks());

/** A process whose output is lost at will. Something listens to SIGTERM in it, as a spinner does that has turned. */
function aProcess() {
  const stdout = new EventEmitter();
  const stderr = Object.assign(new EventEmitter(), { write: vi.fn() });
  const exit = vi.fn();
  const kill = vi.fn((_pid: number, name: string) => process.emit(name as "SIGTERM"));
  watchOutput({ stdout, stderr, exit, kill, exitCode: undefined, pid: 1, listenerCount: () => 1 } as unknown as NodeJS.Process);
  const lose = (code: string): void => void stdout.emit("error", Object.assign(new Error(`write ${code}`), { code }));
  return { lose, exit, said: () => stderr.write.mock.calls.flat().join("") };
}

describe("output that is lost", () => {
  it.each([
    ["EPIPE", 0, /^$/],
    ["ENOSPC", 1, /^hypo: Output cannot be written/],
  ])("ends a command that has nothing to save, whoever listens to signals: %s", (code, exitCode, words) => {
    const { lose, exit, said } = aProcess();
    lose(code);
    lose(code);
    expect(exit.mock.calls).toEqual([[exitCode]]);
    expect(said()).toMatch(words);
  });

  it("has work saved first", async () => {
    const { lose, exit } = aProcess();
    const work = withSignals((signal) => new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("saved"))));
    lose("EPIPE");
    expect(await work).toEqual({ value: "saved", endedBy: 143 });
    expect(exit).not.toHaveBeenCalled();
  });

  it("is no second signal for work that is being saved, and no first one for what comes after it", async () => {
    const left = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    for (const order of [
      ["SIGINT", "loss"],
      ["loss", "SIGINT"],
    ]) {
      const { lose, exit } = aProcess();
      await withSignals((signal) => {
        for (const each of order)
          if (each === "loss") lose("EPIPE");
          else process.emit("SIGINT");
        expect(signal.aborted).toBe(true);
        return Promise.resolve();
      });
      expect([exit.mock.calls, left.mock.calls]).toEqual([[], []]);
    }
  });

  it("waits for a run that is being made, which is then told", () => {
    const left = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    const { lose, exit } = aProcess();
    const guard = new StartGuard(() => undefined);
    guard.hold();
    process.emit("SIGINT");
    lose("EPIPE");
    expect(guard.release()).toEqual({ name: "SIGINT", exitCode: 130 });
    expect([exit.mock.calls, left.mock.calls]).toEqual([[], []]);
  });
});
