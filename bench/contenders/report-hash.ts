/** Reads every file of a project and hashes it. Argument: project. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { handFigures } from "../harness/measure.ts";
import { timeOf } from "../harness/contender.ts";

const [project = ""] = process.argv.slice(2);
const workMs = await timeOf(async () => {
  for (const entry of await readdir(project, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      createHash("sha256")
        .update(await readFile(join(entry.parentPath, entry.name)))
        .digest("hex");
  }
});
handFigures({ workMs });
