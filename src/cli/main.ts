/** The program: bin/hypo.js imports this once the Node version is known to do. */
import { processIo } from "./io.ts";
import { watchOutput } from "./lost-output.ts";
import { startHypo } from "./start.ts";

watchOutput(process);

process.exitCode = await startHypo(process.argv.slice(2), processIo());

// The work is done. To let everything go in good order takes a moment that nobody needs, and a connection that something
// left open must not hold the person's shell, once all output is out. Not at once: that a file took no output, since the
// disk is full, is told a turn later.
setImmediate(endWhenWritten);
setInterval(endWhenWritten, 1000).unref();

function endWhenWritten(): void {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
}
