import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withSignals } from "../../../src/cli/signals.ts";

class Ended extends Error {}

type Name = "SIGINT" | "SIGTERM" | "SIGHUP";
const NAMES: readonly Name[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The process's own way out, so that a test outlives it. */
function watchExit() {
  return vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Ended(String(code));
  });
}

/** Listens as a library does that tidies the terminal: a signal that nobody else listens to is the process's end. */
function tidyTheTerminal(): { ends: Name[]; leave: () => void } {
  const ends: Name[] = [];
  const listeners = NAMES.map((name) => {
    const listener = (): void => {
      if (process.listenerCount(name) === (before.get(name) ?? 0) + 1) ends.push(name);
    };
    return [name, listener] as const;
  });
  for (const [name, listener] of listeners) process.on(name, listener);
  return { ends, leave: () => listeners.forEach(([name, listener]) => process.off(name, listener)) };
}

/** Listeners of the test runner itself. */
let before = new Map<Name, number>();
const wasTty = process.stderr.isTTY;

beforeEach(() => {
  before = new Map(NAMES.map((name) => [name, process.listenerCount(name)]));
  process.stderr.isTTY = true;
});

afterEach(() => {
  vi.restoreAllMocks();
  process.stderr.isTTY = wasTty;
});

/** Work that goes on until it is asked to end and then takes `saving`. */
async function untilAsked(signal: AbortSignal, saving: () => void): Promise<string> {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  saving();
  return "saved";
}

describe("work that signals ask to end", () => {
  it.each<[Name, number]>([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ])("is saved at the first %s, also where a spinner listens after it", async (name, code) => {
    const exit = watchExit();
    const working = withSignals((signal) => untilAsked(signal, () => undefined));
    const terminal = tidyTheTerminal();
    try {
      process.emit(name);
      expect(await working).toEqual({ value: "saved", endedBy: code });
      expect(process.listenerCount(name)).toBe((before.get(name) ?? 0) + 1);
      expect(terminal.ends).toEqual([]);
      expect(exit).not.toHaveBeenCalled();
    } finally {
      terminal.leave();
    }
  });

  it.each<[Name, Name, number]>([
    ["SIGINT", "SIGINT", 130],
    ["SIGTERM", "SIGINT", 130],
    ["SIGINT", "SIGTERM", 143],
  ])("is left at once at a second signal: %s, then %s", async (first, second, code) => {
    const exit = watchExit();
    const working = withSignals((signal) => untilAsked(signal, () => expect(() => process.emit(second)).toThrow(Ended)));
    process.emit(first);
    await working;
    expect(exit).toHaveBeenCalledExactlyOnceWith(code);
  });

  it("is saved although the closing of the terminal is told twice, or after the terminal's own signal", async () => {
    const exit = watchExit();
    for (const [first, code] of [
      ["SIGHUP", 143],
      ["SIGINT", 130],
    ] as const) {
      const terminal = tidyTheTerminal();
      const working = withSignals((signal) => untilAsked(signal, () => process.emit("SIGHUP")));
      process.emit(first);
      expect(await working).toEqual({ value: "saved", endedBy: code });
      expect(terminal.ends).toEqual([]);
      terminal.leave();
    }
    expect(exit).not.toHaveBeenCalled();
  });

  it("is not ended by the closing of a terminal that it does not have", async () => {
    process.stderr.isTTY = false;
    await withSignals(() => {
      expect(process.listenerCount("SIGHUP")).toBe(before.get("SIGHUP"));
      return Promise.resolve();
    });
  });

  it("has no exit code of a signal where none came", async () => {
    expect(await withSignals(() => Promise.resolve(1))).toEqual({ value: 1, endedBy: undefined });
  });
});
