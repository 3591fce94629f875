import { afterEach, describe, expect, it, vi } from "vitest";
import { StartGuard } from "../../../src/cli/start-guard.ts";

class Ended extends Error {}

/** The process's own way out, so that a test outlives it. */
function watchExit() {
  return vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Ended(String(code));
  });
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("a signal while a run is being made", () => {
  it("ends the process at once with a word, as long as nothing has been made", () => {
    const said: string[] = [];
    const exit = watchExit();
    const guard = new StartGuard((line) => said.push(line));
    expect(() => process.emit("SIGTERM")).toThrow(Ended);
    expect(exit).toHaveBeenCalledWith(143);
    expect(said).toEqual([expect.stringContaining("nothing has changed")]);
    guard.release();
  });

  it("waits for the run, which is then told; the second one ends the process", () => {
    const exit = watchExit();
    const guard = new StartGuard(() => undefined);
    guard.hold();
    process.emit("SIGINT");
    expect(exit).not.toHaveBeenCalled();
    expect(() => process.emit("SIGINT")).toThrow(Ended);
    expect(guard.release()).toEqual({ name: "SIGINT", exitCode: 130 });
  });

  it("ends the process after 5 seconds where the run does not come about", () => {
    vi.useFakeTimers();
    const exit = watchExit();
    const guard = new StartGuard(() => undefined);
    guard.hold();
    process.emit("SIGTERM");
    expect(() => vi.advanceTimersByTime(5000)).toThrow(Ended);
    expect(exit).toHaveBeenCalledWith(143);
    guard.release();
  });

  it("is nobody's business any more once the run listens itself", () => {
    const before = [process.listenerCount("SIGINT"), process.listenerCount("SIGTERM")];
    const guard = new StartGuard(() => undefined);
    expect(guard.release()).toBeUndefined();
    expect([process.listenerCount("SIGINT"), process.listenerCount("SIGTERM")]).toEqual(before);
  });
});
