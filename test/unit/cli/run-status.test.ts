import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { runFolder } from "../../../src/engine/run-folder.ts";
import { RunStatus } from "../../../src/engine/run-status.ts";
import { readRunProcess, type RunProcess } from "../../../src/cli/runs/run-files.ts";
import { testFolder } from "./test-project.ts";

it("what a process says reaches others by its status: the latest lines, each once, none too long", async () => {
  const folder = runFolder(join(testFolder(), ".hypo"), "r");
  const status = new RunStatus(folder, () => new Date(0));
  onTestFinished(() => status.close("stopped", 0));
  const read = (): Promise<RunProcess | undefined> => readRunProcess(folder.path);
  status.note("said before it began");
  await status.begin(["main"]);
  expect((await read())?.said).toEqual(["said before it began"]);
  for (let n = 1; n <= 30; n += 1) status.note(`line ${n}`);
  status.note("line 29");
  status.note("long ".repeat(1000));
  await vi.waitFor(async () => expect((await read())?.said).toHaveLength(20), { timeout: 10_000 });
  const said = (await read())?.said ?? [];
  expect(said.slice(0, 2)).toEqual(["line 12", "line 13"]);
  expect(said.slice(-3, -1)).toEqual(["line 30", "line 29"]);
  expect(said.at(-1)).toHaveLength(500);
});
