import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { render } from "ink-testing-library";
import { describe, expect, it, vi } from "vitest";
import { textOf } from "../../../src/cli/view/row.ts";
import { mountRunView, ViewRows } from "../../../src/cli/view/run-view.tsx";
import { buildView } from "../../../src/cli/view/view-model.ts";
import { evolve, project } from "../../../src/engine/state/evolve.ts";
import { emptyLedger } from "../../../src/engine/state/ledger.ts";
import { BEGAN, FactList, largeRun, testedRun } from "./a-run.ts";
import { testIo } from "./test-io.ts";

const ESC = "\u001B";

describe("frames on the terminal", () => {
  it.each([
    [40, 10, 3],
    [60, 20, 50],
    [80, 24, 200],
    [100, 40, 200],
  ])("at %d x %d with %d agents are exactly the rows of the view", (columns, rows, agents) => {
    const state = project(largeRun(agents).facts);
    const view = buildView({ state, ledger: emptyLedger(), now: BEGAN + 60_000, columns, rows, scroll: 0 });
    const { lastFrame, unmount } = render(<ViewRows rows={view.rows} isColored={false} />);
    const frame = lastFrame()?.split("\n") ?? [];
    unmount();
    expect(frame.map((line) => line.trimEnd())).toEqual(view.rows.map((row) => textOf(row).trimEnd()));
  });
});

/** A terminal of a given size that keeps what is written to it. */
class Terminal extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  columns = 80;
  rows = 24;
  written = "";

  write = (text: string, ...rest: unknown[]): boolean => {
    this.written += text;
    const done = rest.at(-1);
    if (typeof done === "function") done();
    return true;
  };
}

class Keyboard extends PassThrough {
  readonly isTTY = true;
  isRaw = false;

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

function mount(list: FactList) {
  const terminal = new Terminal();
  const keyboard = new Keyboard();
  const state = project(list.facts);
  const listeners = new Set<() => void>();
  const onInterrupt = vi.fn<() => void>();
  const draw = vi.fn<() => typeof state>(() => state);
  const source = {
    state: draw,
    ledger: () => emptyLedger(),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const io = testIo({ stderr: terminal as unknown as NodeJS.WritableStream, stdin: keyboard as unknown as NodeJS.ReadableStream });
  const view = mountRunView({ source, io, now: () => new Date(BEGAN + 60_000), onInterrupt });
  const tell = (more: FactList): void => {
    for (const fact of more.facts) {
      evolve(state, fact);
      for (const listener of listeners) listener();
    }
  };
  return { terminal, keyboard, listeners, onInterrupt, view, tell, draw };
}

describe("the view on a terminal", () => {
  it("draws what lands, ten times a second at most, and leaves the terminal as it was", async () => {
    const { terminal, keyboard, listeners, view, tell, draw } = mount(testedRun());
    await vi.waitFor(() => expect(terminal.written).toContain("Supervisor"));
    expect(keyboard.isRaw).toBe(true);
    draw.mockClear();
    const began = performance.now();
    while (performance.now() - began < 1000) {
      tell(new FactList().publish({ id: `f-${performance.now()}`, type: "fact", statement: `another ${performance.now()}` }));
      await new Promise((done) => setTimeout(done, 5));
    }
    await vi.waitFor(() => expect(terminal.written).toContain("another"));
    expect(draw.mock.calls.length).toBeGreaterThan(2);
    expect(draw.mock.calls.length).toBeLessThanOrEqual(12);
    await view.unmount();
    expect(keyboard.isRaw).toBe(false);
    expect(listeners.size).toBe(0);
    expect(terminal.written.lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(terminal.written.lastIndexOf(`${ESC}[?25l`));
    const other = terminal.written.lastIndexOf(`${ESC}[?1049l`);
    expect(other).toBeGreaterThan(terminal.written.lastIndexOf(`${ESC}[?1049h`));
    // What is left on the person's own screen: the last view, in plain lines.
    expect(terminal.written.slice(other)).toContain("◆ fact  another");
    const atEnd = terminal.written.length;
    await new Promise((done) => setTimeout(done, 150));
    expect(terminal.written.length).toBe(atEnd);
  });

  it("passes Ctrl-C on, since raw mode takes the signal away", async () => {
    const { terminal, keyboard, onInterrupt, view } = mount(testedRun());
    await vi.waitFor(() => expect(terminal.written).toContain("Supervisor"));
    keyboard.write("\u0003");
    await vi.waitFor(() => expect(onInterrupt).toHaveBeenCalledOnce());
    await view.unmount();
  });

  it("scrolls a large tree with the arrows and follows a resize", async () => {
    const { terminal, keyboard, view } = mount(largeRun(200));
    await vi.waitFor(() => expect(terminal.written).toMatch(/\+\d+ more/));
    keyboard.write(`${ESC}[B`);
    await vi.waitFor(() => expect(terminal.written).toContain("↑ 2 more"));
    terminal.columns = 40;
    terminal.rows = 10;
    terminal.written = "";
    terminal.emit("resize");
    await vi.waitFor(() => expect(terminal.written).toContain("it 0/12"));
    await view.unmount();
  });

  it("isolates right-to-left names, so that numbers beside them keep their order", async () => {
    const { terminal, view } = mount(new FactList().start().spawn("root", "باحث أول 1"));
    await vi.waitFor(() => expect(terminal.written).toContain("\u2068باحث أول\u2069 1"));
    await view.unmount();
  });
});
