import { execFileSync } from "node:child_process";
import { readFile, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Project } from "../../support/hypo.ts";

/** Whether this process may mount a small disk: root on Linux, outside a locked-down container. */
export function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A project's `.hypo` folder on a disk of its own, until it is disposed of. */
export interface SmallDisk extends Disposable {
  /** Fills the disk up to so many bytes. */
  fillUpTo: (left: number) => Promise<void>;
  free: () => Promise<void>;
  makeReadOnly: () => void;
  makeWritable: () => void;
}

export async function putOnSmallDisk(project: Project): Promise<SmallDisk> {
  const folder = join(project.folder, ".hypo");
  const config = join(folder, "config.yaml");
  const text = await readFile(config);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m,mode=700", "tmpfs", folder]);
  await writeFile(config, text);
  const filler = join(folder, "filler");
  const remount = (mode: string) => (): void => void execFileSync("mount", ["-o", `remount,${mode}`, folder]);
  return {
    async fillUpTo(left) {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    },
    free: () => rm(filler),
    makeReadOnly: remount("ro"),
    makeWritable: remount("rw"),
    [Symbol.dispose]: () => void execFileSync("umount", ["-l", folder]),
  };
}
