import { renderToString } from "ink";
import { render } from "ink-testing-library";
import { describe, expect, it, vi } from "vitest";
import { textOf } from "../../../src/cli/view/row.ts";
import { ViewRows, type KeyCommand } from "../../../src/cli/view/run-view.tsx";
import { openScreen } from "../../../src/cli/view/screen.ts";
import { FactSource, mountOn } from "../../support/view-terminal.ts";
import { BEGAN, FactList, largeRun, testedRun, wholeRun } from "./a-run.ts";
import { viewOf } from "./a-view.ts";

const ESC = "\u001B";
const now = (): Date => new Date(BEGAN + 60_000);

describe("frames on the terminal", () => {
  it.each([
    [40, 10, 3],
    [40, 10, 200],
    [80, 24, 200],
    [100, 40, 200],
  ])("at %d x %d with %d agents are exactly the rows of the view", (columns, rows, agents) => {
    const view = viewOf(largeRun(agents), { columns, rows, screen: openScreen() });
    const { lastFrame, unmount } = render(<ViewRows rows={view.rows} isColored={false} />);
    const frame = lastFrame()?.split("\n") ?? [];
    unmount();
    expect(frame.map((line) => line.trimEnd())).toEqual(view.rows.map((row) => textOf(row).trimEnd()));
  });
});

describe("a frame wider than most terminals", () => {
  it("at 200 x 60 with 200 agents is exactly the rows of the view", () => {
    const view = viewOf(largeRun(200), { columns: 200, rows: 60, screen: openScreen() });
    const frame = renderToString(<ViewRows rows={view.rows} isColored={false} />, { columns: 200 }).split("\n");
    expect(frame.map((line) => line.trimEnd())).toEqual(view.rows.map((row) => textOf(row).trimEnd()));
    expect(frame).toHaveLength(59);
  });
});

describe("the view on a terminal", () => {
  it("draws what lands, ten times a second at most, and leaves the terminal as it was", async () => {
    const source = new FactSource(testedRun().facts);
    const { terminal, keyboard, view } = mountOn(source, { now });
    await vi.waitFor(() => expect(terminal.written).toContain("Supervisor"));
    expect(keyboard.isRaw).toBe(true);
    source.looks = 0;
    const began = performance.now();
    while (performance.now() - began < 1000) {
      const more = new FactList().publish({ id: `f-${performance.now()}`, type: "fact", statement: `another ${performance.now()}` });
      for (const fact of more.facts) source.apply(fact);
      await new Promise((done) => setTimeout(done, 5));
    }
    await vi.waitFor(() => expect(terminal.written).toContain("another"));
    expect(source.looks).toBeGreaterThan(2);
    expect(source.looks).toBeLessThanOrEqual(12);
    await view.unmount();
    expect(keyboard.isRaw).toBe(false);
    expect(source.listeners.size).toBe(0);
    expect(terminal.written.lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(terminal.written.lastIndexOf(`${ESC}[?25l`));
    const other = terminal.written.lastIndexOf(`${ESC}[?1049l`);
    expect(other).toBeGreaterThan(terminal.written.lastIndexOf(`${ESC}[?1049h`));
    // What is left on the person's own screen: the last view, in plain lines, without what only keys need.
    expect(terminal.written.slice(other)).toContain("◆ fact  another");
    expect(terminal.written.slice(other)).not.toContain("›");
    const atEnd = terminal.written.length;
    await new Promise((done) => setTimeout(done, 150));
    expect(terminal.written.length).toBe(atEnd);
  });

  it("passes Ctrl-C on, since raw mode takes the signal away", async () => {
    const act = vi.fn<(command: KeyCommand) => Promise<undefined>>(() => Promise.resolve(undefined));
    const { terminal, keyboard, view } = mountOn(new FactSource(testedRun().facts), { now, act });
    await vi.waitFor(() => expect(terminal.written).toContain("Supervisor"));
    keyboard.write("\u0003");
    await vi.waitFor(() => expect(act).toHaveBeenCalledExactlyOnceWith({ do: "interrupt" }));
    await view.unmount();
  });

  it("moves through a large tree with the arrows and follows a resize", async () => {
    const { terminal, keyboard, view } = mountOn(new FactSource(largeRun(200).facts), { now });
    await vi.waitFor(() => expect(terminal.written).toMatch(/↓ \d+ more/));
    keyboard.write(`${ESC}[F`);
    await vi.waitFor(() => expect(terminal.written).toMatch(/↑ \d+ more/));
    terminal.written = "";
    terminal.resize(40, 10);
    await vi.waitFor(() => expect(terminal.written).toContain("it 0/12"));
    await view.unmount();
  });

  it("shows an agent's transcript as it grows, and goes back", async () => {
    const source = new FactSource(testedRun().facts);
    const { terminal, keyboard, view } = mountOn(source, { now });
    await vi.waitFor(() => expect(terminal.written).toContain("Supervisor"));
    keyboard.write(`${ESC}[B`);
    keyboard.write("\r");
    await vi.waitFor(() => expect(terminal.written).toContain("url: https://example.org/sorting"));
    source.tell({ agent: "root.1", delta: "I come to the con" });
    await vi.waitFor(() => expect(terminal.written).toContain("I come to the con"));
    terminal.written = "";
    keyboard.write(ESC);
    await vi.waitFor(() => expect(terminal.written).toContain("iteration 0/12"));
    await view.unmount();
  });

  it("takes a message on one line, typed or pasted, and sends it to the selected agent on Enter alone", async () => {
    const act = vi.fn<(command: KeyCommand) => Promise<{ text: string; tone: "good" }>>(() =>
      Promise.resolve({ text: "root gets the message with its next step.", tone: "good" }),
    );
    const { terminal, keyboard, view } = mountOn(new FactSource(testedRun().facts), { now, act });
    await vi.waitFor(() => expect(terminal.written).toContain("Supervisor"));
    keyboard.write("s");
    await vi.waitFor(() => expect(terminal.written).toContain("To root Supervisor: "));
    await vi.waitFor(() => expect(terminal.written).toContain(`${ESC}[?2004h`));
    keyboard.write("Leave outt\u007F ");
    keyboard.write(`${ESC}[200~papers\nbefore 2015.${ESC}[201~`);
    await vi.waitFor(() => expect(terminal.written).toContain("papers before 2015."));
    expect(act).not.toHaveBeenCalled();
    keyboard.write("\r");
    await vi.waitFor(() => expect(terminal.written).toContain("root gets the message"));
    expect(act.mock.calls).toEqual([[{ do: "steer", agent: "root", message: "Leave out papers before 2015." }]]);
    await view.unmount();
  });

  it("gives the terminal back before it stops on Ctrl-Z, and draws anew when it goes on", async () => {
    const { terminal, keyboard, jobs, view } = mountOn(new FactSource(testedRun().facts), { now });
    await vi.waitFor(() => expect(terminal.written).toContain("Supervisor"));
    keyboard.write("\u001A");
    await vi.waitFor(() => expect(jobs.stops).toBe(1));
    expect(keyboard.isRaw).toBe(false);
    expect(terminal.written.lastIndexOf(`${ESC}[?1049l`)).toBeGreaterThan(terminal.written.lastIndexOf(`${ESC}[?1049h`));
    expect(terminal.written.lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(terminal.written.lastIndexOf(`${ESC}[?25l`));
    terminal.written = "";
    // In the background the terminal is another's.
    terminal.resize(60, 20);
    await new Promise((done) => setTimeout(done, 300));
    expect(terminal.written).toBe("");
    jobs.continue();
    await vi.waitFor(() => expect(terminal.written).toContain("Supervisor"));
    expect(terminal.written).toContain(`${ESC}[?1049h`);
    expect(keyboard.isRaw).toBe(true);
    await view.unmount();
  });

  it("draws anew after a stop that gave no warning", async () => {
    const { terminal, keyboard, jobs, view } = mountOn(new FactSource(testedRun().facts), { now });
    await vi.waitFor(() => expect(terminal.written).toContain("Supervisor"));
    terminal.written = "";
    jobs.continue();
    await vi.waitFor(() => expect(terminal.written).toContain("Supervisor"));
    expect(keyboard.isRaw).toBe(true);
    await view.unmount();
  });

  it("leaves the terminal as it was when a defect ends the process", async () => {
    const { terminal, view } = mountOn(new FactSource(wholeRun().facts), { now });
    await vi.waitFor(() => expect(terminal.written).toContain("Supervisor"));
    process.listeners("uncaughtExceptionMonitor").at(-1)?.(new Error("a defect"), "uncaughtException");
    expect(terminal.written.lastIndexOf(`${ESC}[?1049l`)).toBeGreaterThan(terminal.written.lastIndexOf(`${ESC}[?1049h`));
    await view.unmount();
  });

  it("isolates right-to-left names, so that numbers beside them keep their order", async () => {
    const { terminal, view } = mountOn(new FactSource(new FactList().start().spawn("root", "باحث أول 1").facts), { now });
    await vi.waitFor(() => expect(terminal.written).toContain("\u2068باحث أول\u2069 1"));
    await view.unmount();
  });
});
