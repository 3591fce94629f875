import { access, constants, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../../files/atomic.ts";
import { bytes } from "../output/quantities.ts";
import type { Project } from "../project/project.ts";
import { failureOf, type Check, type Finding } from "./check.ts";

/** Free space below which a run may not get far, and below which it will not. */
const SCARCE_BYTES = 1_000_000_000;
const TOO_LITTLE_BYTES = 100_000_000;

/** The Node.js at work. The launcher refuses those that are too old before anything is loaded. */
export function checkNode(version: string, execPath: string): Check {
  return { name: "node", examine: async () => ({ status: "ok", detail: `${version} (${execPath})` }) };
}

/** Whether the project's state can be written, or the folder it would be made in. */
export function checkStateFolder(project: Project | undefined, cwd: string): Check {
  return {
    name: "state folder",
    async examine(): Promise<Finding> {
      if (project === undefined) return checkFutureFolder(cwd);
      const probe = join(project.state, `doctor.${process.pid}.tmp`);
      try {
        await writeFileAtomic(probe, "");
      } catch (error) {
        return failureOf(error);
      } finally {
        await rm(probe, { force: true }).catch(() => undefined);
      }
      return { status: "ok", detail: `${project.state} can be written` };
    },
  };
}

async function checkFutureFolder(cwd: string): Promise<Finding> {
  return access(cwd, constants.W_OK).then(
    (): Finding => ({ status: "ok", detail: `there is no project yet; it would be made in ${cwd}` }),
    (): Finding => ({
      status: "fail",
      detail: `there is no project yet, and ${cwd} cannot be written`,
      fix: "Choose a folder that you may write with `-C <dir>`.",
    }),
  );
}

export function checkDisk(project: Project | undefined, cwd: string): Check {
  return {
    name: "disk",
    async examine() {
      const folder = project === undefined ? cwd : dirname(project.state);
      const { bavail, bsize } = await statfs(folder);
      const free = bavail * bsize;
      return {
        status: free < TOO_LITTLE_BYTES ? "fail" : free < SCARCE_BYTES ? "warn" : "ok",
        detail: `${bytes(free)} free for ${folder}`,
        fix: free < SCARCE_BYTES ? "Free some space: sources, journals and images of experiments are kept on this disk." : undefined,
      };
    },
  };
}
