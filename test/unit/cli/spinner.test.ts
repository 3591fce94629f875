import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { withSpinner } from "../../../src/cli/output/spinner.ts";
import { testIo } from "./test-io.ts";

const ESC = "\u001B";

/** A terminal that keeps what is written to it. */
function terminal(env: Record<string, string> = {}) {
  const io = testIo({ env, isTty: { stdin: true, stdout: true, stderr: true } });
  Object.assign(io.stderr, { isTTY: true, columns: 30, cursorTo: () => true, clearLine: () => true, moveCursor: () => true });
  return io;
}

describe("a spinner", () => {
  it("turns while work takes its time, says what is done on one line, and gives the work's value", async () => {
    const io = terminal();
    const value = await withSpinner({ text: "Indexing", json: false }, io, async (spinner) => {
      await vi.waitFor(() => expect(io.err()).toContain("Indexing"), 10_000);
      spinner.show(`pulling ${ESC}[31m the image ${"x".repeat(100)}`);
      await vi.waitFor(() => expect(io.err()).toContain("pulling the image xxxxxxx…"), 10_000);
      spinner.say("a line that stays");
      return 7;
    });
    expect(value).toBe(7);
    expect(io.err()).toContain("a line that stays\n");
    expect(io.err()).not.toContain(`${ESC}[31m`);
    expect(io.err().lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(io.err().lastIndexOf(`${ESC}[?25l`));
    const after = io.err().length;
    await sleep(200);
    expect(io.err().length).toBe(after);
  });

  it("is not seen where work is short, nor after it failed", async () => {
    const io = terminal();
    await withSpinner({ text: "Indexing", json: false }, io, () => Promise.resolve());
    await expect(withSpinner({ text: "Indexing", json: false }, io, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await sleep(400);
    expect(io.err()).toBe("");
  });

  it.each([
    ["stderr is no terminal", testIo(), false],
    ["results go out as JSON", terminal(), true],
    ["the terminal is dumb", terminal({ TERM: "dumb" }), false],
  ])("does not turn where %s", async (_, io, json) => {
    await withSpinner({ text: "Indexing", json }, io, async (spinner) => {
      spinner.show("step");
      await sleep(400);
      spinner.say("a warning");
    });
    expect(io.err()).toBe("a warning\n");
  });

  it("leaves steps as lines where nothing turns and the work takes minutes", async () => {
    const io = testIo();
    const work = (spinner: { show(text: string): void }) => Promise.resolve(spinner.show("the experiment is running"));
    await withSpinner({ text: "Looking", json: false, printsSteps: true }, io, work);
    expect(io.err()).toBe("the experiment is running\n");
  });
});
