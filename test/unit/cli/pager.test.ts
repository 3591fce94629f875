import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { checkGiven } from "../../../src/cli/given.ts";
import { writeOut, type Io } from "../../../src/cli/io.ts";
import { withPager } from "../../../src/cli/output/pager.ts";
import { parseCommandLine } from "../../../src/cli/parse.ts";
import { testIo } from "./test-io.ts";

/** A terminal of 40 x 10 that keeps what is printed, and a pager that keeps what it is given. */
function atTerminal(env: Io["env"], isTty = true) {
  const printed: string[] = [];
  const stdout = Object.assign(sink(printed), { columns: 40, rows: 10 });
  const io = testIo({ env: { PATH: process.env["PATH"], ...env }, stdout, isTty: { stdin: isTty, stdout: isTty, stderr: isTty } });
  const paged: string[] = [];
  const started: { command: string; less: string | undefined }[] = [];
  const start = (command: string, pagerEnv: Io["env"]) => {
    started.push({ command, less: pagerEnv["LESS"] });
    const input = sink(paged);
    return { input, ended: new Promise<void>((resolve) => input.once("finish", resolve)) };
  };
  const print = (lines: number): Promise<number> =>
    withPager(
      io,
      (given) => {
        for (let line = 1; line <= lines; line++) writeOut(given, `line ${line}`);
        return Promise.resolve(0);
      },
      start,
    );
  return { io, print, started, printed: () => printed.join(""), paged: () => paged.join("") };
}

function sink(chunks: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
}

const lines = (amount: number): string => Array.from({ length: amount }, (_, at) => `line ${at + 1}\n`).join("");

describe("output at a terminal", () => {
  it("goes to the pager, all of it, where it is longer than the terminal", async () => {
    const { print, started, printed, paged } = atTerminal({ PAGER: "sh -x" });
    expect(await print(30)).toBe(0);
    expect(started).toEqual([{ command: "sh -x", less: "FRX" }]);
    expect(paged()).toBe(lines(30));
    expect(printed()).toBe("");
  });

  it("is printed as it is where it fits", async () => {
    const { print, started, printed } = atTerminal({ PAGER: "sh" });
    await print(9);
    expect(started).toEqual([]);
    expect(printed()).toBe(lines(9));
  });

  it("is longer than the terminal also by lines that wrap", async () => {
    const { io, started } = atTerminal({ PAGER: "sh" });
    const start = (command: string) => {
      started.push({ command, less: undefined });
      return { input: sink([]), ended: Promise.resolve() };
    };
    await withPager(io, (given) => Promise.resolve(Number(writeOut(given, "x".repeat(400)))), start);
    expect(started).toHaveLength(1);
  });

  it("is longer than the terminal by wide letters that wrap, colours apart", async () => {
    const { io, started, printed } = atTerminal({ PAGER: "sh" });
    const start = (command: string) => {
      started.push({ command, less: undefined });
      return { input: sink([]), ended: Promise.resolve() };
    };
    const print = (line: string) => withPager(io, (given) => Promise.resolve(Number(writeOut(given, `${line}\n`.repeat(5)))), start);
    await print(`\u001B[31m${"検".repeat(20)}\u001B[39m`);
    expect(started).toEqual([]);
    expect(printed()).toContain("検");
    // Twenty-one of them are 42 columns: two rows a line on 40 columns.
    await print("検".repeat(21));
    expect(started).toHaveLength(1);
  });

  it("can be ended with Ctrl-C until there is a pager, which Ctrl-C is for from then on", async () => {
    const { io } = atTerminal({ PAGER: "sh" });
    const before = process.listenerCount("SIGINT");
    const listening: number[] = [];
    const use = (given: Io): Promise<number> => {
      listening.push(process.listenerCount("SIGINT") - before);
      for (let line = 1; line <= 30; line++) writeOut(given, `line ${line}`);
      listening.push(process.listenerCount("SIGINT") - before);
      return Promise.resolve(0);
    };
    await withPager(io, use, () => ({ input: sink([]), ended: Promise.resolve() }));
    expect(listening).toEqual([0, 1]);
    expect(process.listenerCount("SIGINT")).toBe(before);
  });

  it.each<[string, Io["env"], string | undefined]>([
    ["HYPO_PAGER before PAGER", { HYPO_PAGER: "sh -a", PAGER: "sh -b" }, "sh -a"],
    ["nothing with PAGER=cat", { PAGER: "cat" }, undefined],
    ["nothing with HYPO_PAGER=cat, whatever PAGER says", { HYPO_PAGER: "cat", PAGER: "sh" }, undefined],
    ["nothing with an empty PAGER", { PAGER: "" }, undefined],
    ["nothing on a dumb terminal", { PAGER: "sh", TERM: "dumb" }, undefined],
    ["nothing where less is not installed", { PATH: "/nowhere" }, undefined],
    ["what only a shell understands", { PAGER: "$FOO | sh" }, "$FOO | sh"],
  ])("uses %s", async (_, env, command) => {
    const { print, started, printed } = atTerminal(env);
    await print(30);
    expect(started.map((each) => each.command)).toEqual(command === undefined ? [] : [command]);
    expect(printed()).toBe(command === undefined ? lines(30) : "");
  });

  it("keeps the person's own LESS", async () => {
    const { print, started } = atTerminal({ PAGER: "sh", LESS: "S" });
    await print(30);
    expect(started[0]?.less).toBe("S");
  });

  it("says so where the pager is not installed, and prints all the same", async () => {
    const { print, io, printed } = atTerminal({ PAGER: "no-such-pager -x" });
    await print(30);
    expect(io.err()).toBe("The pager no-such-pager is not installed, so nothing is paged.\n");
    expect(printed()).toBe(lines(30));
  });

  it("ends quietly when the pager is quit early, and gives the command's exit code", async () => {
    const { io } = atTerminal({ PAGER: "sh" });
    const input = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })) });
    const start = () => ({ input, ended: Promise.resolve() });
    const use = (given: Io): Promise<number> => {
      writeOut(given, lines(30));
      writeOut(given, lines(30));
      return Promise.resolve(7);
    };
    expect(await withPager(io, use, start)).toBe(7);
  });

  it("prints what a failing command wrote before it failed", async () => {
    const { io, printed } = atTerminal({ PAGER: "sh" });
    const use = (given: Io): Promise<number> => {
      writeOut(given, "before");
      return Promise.reject(new Error("it failed"));
    };
    await expect(withPager(io, use)).rejects.toThrow("it failed");
    expect(printed()).toBe("before\n");
  });
});

describe("output elsewhere", () => {
  it("is never paged", async () => {
    const { print, started, printed } = atTerminal({ PAGER: "sh" }, false);
    await print(30);
    expect(started).toEqual([]);
    expect(printed()).toBe(lines(30));
  });
});

describe("commands whose output may be long", () => {
  it.each<[string, boolean]>([
    ["config list", true],
    ["config schema", true],
    ["verify last", true],
    ["memory check", true],
    ["memory stale", true],
    ["branches last", true],
    ["export last", true],
    ["export last --out report.md", false],
    ["log last --follow", false],
    ["run why", false],
  ])("hypo %s is paged: %s", (line, isPaged) => {
    const parsed = parseCommandLine(line.split(" "), "0.1.0");
    if (parsed.kind === "text") throw new TypeError("this is no command");
    const { definition, words, values } = parsed;
    expect(definition.isPaged?.(checkGiven(definition, words, values)) ?? false).toBe(isPaged);
  });
});
