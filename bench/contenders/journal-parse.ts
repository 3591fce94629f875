/** Parses every line of a journal and keeps nothing. Argument: the file. */
import { closeSync, openSync, readSync } from "node:fs";
import { handFigures } from "../harness/measure.ts";
import { timeOf } from "../harness/contender.ts";

const [path = ""] = process.argv.slice(2);
const workMs = await timeOf(() => {
  const file = openSync(path, "r");
  const block = Buffer.allocUnsafe(1 << 20);
  let kept = 0;
  for (;;) {
    const read = readSync(file, block, kept, block.length - kept, null);
    if (read === 0) break;
    const filled = kept + read;
    let start = 0;
    for (let end = block.indexOf("\n"); end !== -1 && end < filled; end = block.indexOf("\n", start)) {
      JSON.parse(block.toString("utf8", start, end));
      start = end + 1;
    }
    block.copyWithin(0, start, filled);
    kept = filled - start;
  }
  closeSync(file);
});
handFigures({ workMs });
