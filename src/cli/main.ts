/** The program: bin/hypo.js imports this once the Node version is known to do. */
import { systemCodeOf } from "../domain/errors.ts";
import { processIo } from "./io.ts";
import { startHypo } from "./start.ts";

// A reader that went away (`| head`) wants no more output: that is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (systemCodeOf(error) === "EPIPE") process.exit(process.exitCode ?? 0);
    // The terminal has been closed; what is at work goes on or is handed over.
    if (systemCodeOf(error) !== "EIO") throw error;
  });
}

process.exitCode = await startHypo(process.argv.slice(2), processIo());

// The work is done. A connection that something left open must not hold the person's shell, once all output is out.
setInterval(() => {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
}, 1000).unref();
