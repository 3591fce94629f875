import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { logCommand } from "../../../src/cli/commands/log.ts";
import type { LogOptions } from "../../../src/cli/commands/options.ts";
import { FactList } from "./a-run.ts";
import { runOnDisk } from "./run-on-disk.ts";
import { testIo } from "./test-io.ts";
import { testStores } from "./test-project.ts";

const options: LogOptions = { json: true, debug: false, agentDir: undefined, run: "last", follow: false, types: [], branch: undefined };
const started = (): FactList => new FactList().start().spawn("root", "Supervisor");
const call = (name: string) => ({ type: "tool_started", data: { agent: "root", call: name, tool: "ls", args: {} } }) as const;

function linesOf(text: string): { seq?: number; type?: string; branch: string }[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { seq?: number; branch: string });
}

describe("hypo log", () => {
  it("prints records of the asked types and branch only", async () => {
    const { root, write } = await runOnDisk(started());
    await write((journal) => {
      journal.moveBranch("side", 2, undefined, "forked");
      journal.append("main", 3, [call("a")]);
      journal.append("side", 2, [call("b")]);
    });
    const ask = async (more: Partial<LogOptions>): Promise<(number | string | undefined)[]> => {
      const io = testIo({ cwd: root });
      expect(await logCommand({ ...options, ...more }, io, testStores({}))).toBe(0);
      return linesOf(io.out()).map(({ seq, branch }) => seq ?? branch);
    };
    expect(await ask({})).toEqual(["main", 1, 2, 3, "side", 4, 5]);
    expect(await ask({ branch: "side" })).toEqual([1, 2, "side", 5]);
    expect(await ask({ types: ["tool_started"] })).toEqual([4, 5]);
    expect(await ask({ types: ["tool_started"], branch: "main" })).toEqual([4]);
    await expect(ask({ branch: "none" })).rejects.toMatchObject({ code: "not_found" });
    await expect(ask({ types: ["tool_start"] })).rejects.toMatchObject({ code: "usage", hint: "Did you mean tool_started?" });
  });

  it("isolates right-to-left text for people and leaves JSON alone", async () => {
    const { root } = await runOnDisk(started().publish({ id: "f-1", type: "fact", statement: "بحث في 5 سنوات" }, "root"));
    const ask = async (json: boolean): Promise<string> => {
      const io = testIo({ cwd: root });
      await logCommand({ ...options, json }, io, testStores({}));
      return io.out();
    };
    expect(await ask(false)).toContain("fact f-1 (observed): \u2068بحث في 5 سنوات\u2069\n");
    expect(await ask(true)).toContain('"بحث في 5 سنوات"');
    expect(await ask(true)).not.toMatch(/[\u2066-\u2069]/);
  });

  it("says that the last line is unfinished, and prints those before it", async () => {
    const { root, folder } = await runOnDisk(started());
    appendFileSync(join(folder, "journal.jsonl"), '{"v":1,"se');
    const io = testIo({ cwd: root });
    await logCommand(options, io, testStores({}));
    expect(linesOf(io.out())).toHaveLength(4);
    expect(io.err()).toContain("The last line is unfinished");
  });

  it("follows a run at work, whose lines may come in pieces, and ends when the run does", async () => {
    const { root, folder, write, setProcess } = await runOnDisk(started());
    const path = join(folder, "journal.jsonl");
    const before = readFileSync(path);
    await write((journal) => void journal.append("main", 3, [call("a"), call("b")]));
    const added = readFileSync(path).subarray(before.length);
    writeFileSync(path, before);
    setProcess("running");

    const io = testIo({ cwd: root });
    const following = logCommand({ ...options, follow: true }, io, testStores({}));
    await vi.waitFor(() => expect(linesOf(io.out())).toHaveLength(4));
    // Line 1 and a piece of line 2, the rest of it piece by piece, and the end of the run.
    const first = added.indexOf("\n") + 10;
    appendFileSync(path, added.subarray(0, first));
    await vi.waitFor(() => expect(linesOf(io.out())).toHaveLength(5));
    for (let at = first; at < added.length; at += 40) {
      appendFileSync(path, added.subarray(at, at + 40));
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    setProcess("complete");
    expect(await following).toBe(0);
    expect(linesOf(io.out()).map(({ seq }) => seq)).toEqual([undefined, 1, 2, 3, 4, 5]);
    expect(io.err()).toBe("");
  });

  it("prints what came with the end of the run before it ends", async () => {
    const { root, write, setProcess } = await runOnDisk(started());
    setProcess("running");
    const io = testIo({ cwd: root });
    const following = logCommand({ ...options, follow: true }, io, testStores({}));
    await vi.waitFor(() => expect(linesOf(io.out())).toHaveLength(4));
    await write((journal) => void journal.append("main", 3, [call("last")]));
    setProcess("stopped");
    expect(await following).toBe(0);
    expect(linesOf(io.out()).at(-1)?.seq).toBe(4);
  });
});
