import { writeJson, writeOut, type Io } from "../io.ts";
import type { Stores } from "../stores.ts";
import type { MemoryRebuildOptions } from "./options.ts";
import { tellBroken } from "./tell-broken.ts";
import { withMemory } from "./with-memory.ts";

const BAR = 24;

/** Indexes every note from nothing; shows how far it is where stderr is a terminal. */
export async function memoryRebuildCommand(options: MemoryRebuildOptions, io: Io, stores: Stores): Promise<number> {
  const started = io.now().getTime();
  const bar = io.isTty.stderr && !options.json ? await openBar(io) : undefined;
  let notes = 0;
  let broken = 0;
  try {
    await withMemory(io, stores, async (memory) => {
      await memory.rebuild((done, total) => {
        notes = total;
        bar?.show(done, total);
      });
      broken = await memory.countBroken();
    });
  } finally {
    bar?.close();
  }
  const seconds = (io.now().getTime() - started) / 1000;
  if (options.json) writeJson(io, { files: notes, broken, seconds });
  else {
    writeOut(io, `Indexed ${notes} ${notes === 1 ? "file" : "files"} in ${seconds.toFixed(1)} s.`);
    tellBroken(broken, io);
  }
  return 0;
}

async function openBar(io: Io): Promise<{ show(done: number, total: number): void; close(): void }> {
  const { default: ora } = await import("ora");
  const spinner = ora({ text: "Looking at the notes", stream: io.stderr }).start();
  return {
    show(done, total) {
      const filled = Math.round((BAR * done) / Math.max(1, total));
      spinner.text = `${"█".repeat(filled)}${"░".repeat(BAR - filled)} ${done} of ${total} notes`;
    },
    close: () => spinner.stop(),
  };
}
