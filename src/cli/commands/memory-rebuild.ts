import { writeJson, writeOut, type Io } from "../io.ts";
import { withSpinner } from "../output/spinner.ts";
import type { Stores } from "../stores.ts";
import type { MemoryRebuildOptions } from "./store-options.ts";
import { tellBroken } from "./tell-broken.ts";
import { withMemory } from "./with-memory.ts";

const BAR = 24;

/** Indexes every note from nothing; shows how far it is where stderr is a terminal. */
export async function memoryRebuildCommand(options: MemoryRebuildOptions, io: Io, stores: Stores): Promise<number> {
  const started = io.now().getTime();
  let notes = 0;
  let broken = 0;
  await withSpinner({ text: "Looking at the notes", json: options.json }, io, (spinner) =>
    withMemory(io, stores, async (memory) => {
      await memory.rebuild((done, total) => {
        notes = total;
        spinner.show(barOf(done, total));
      });
      broken = await memory.countBroken();
    }),
  );
  const seconds = (io.now().getTime() - started) / 1000;
  if (options.json) writeJson(io, { files: notes, broken, seconds });
  else {
    writeOut(io, `Indexed ${notes} ${notes === 1 ? "file" : "files"} in ${seconds.toFixed(1)} s.`);
    tellBroken(broken, io);
  }
  return 0;
}

function barOf(done: number, total: number): string {
  const filled = Math.round((BAR * done) / Math.max(1, total));
  return `${"█".repeat(filled)}${"░".repeat(BAR - filled)} ${done} of ${total} notes`;
}
