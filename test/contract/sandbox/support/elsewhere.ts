import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { ExecutionRequest } from "../../../../src/domain/ports.ts";
import { compiled, IMAGE, type Bench } from "./real-engine.ts";

/** Executes a request in a process of its own; resolves when its payload runs. */
export async function startElsewhere(bench: Bench, request: ExecutionRequest): Promise<ChildProcess> {
  const child = runElsewhere(bench, [request]);
  await once(child.stdout, "data");
  return child;
}

/** Executes requests in a process of its own, one after the other; resolves to the status of each. */
export async function executeElsewhere(bench: Bench, requests: ExecutionRequest[]): Promise<string[]> {
  const child = runElsewhere(bench, requests);
  const [said] = await Promise.all([text(child.stdout), once(child, "close")]);
  return said.split("\n").flatMap((line) => (line.startsWith("ended: ") ? [line.slice("ended: ".length)] : []));
}

function runElsewhere(bench: Bench, requests: ExecutionRequest[]) {
  // Of a request, JSON carries all but the signal and the function; data is empty here.
  const program = `
    import { setTimeout as delay } from "node:timers/promises";
    import { createSandbox } from ${JSON.stringify(compiled("sandbox/index.js"))};
    import { CONFIG_DEFAULT } from ${JSON.stringify(compiled("domain/config.js"))};
    const clock = { now: () => new Date(), monotonic: () => performance.now(), sleep: (ms, signal) => delay(ms, undefined, { signal }) };
    const experiment = { ...CONFIG_DEFAULT.experiment, image: ${JSON.stringify(IMAGE)} };
    const sandbox = createSandbox({ folder: ${JSON.stringify(bench.folder)}, experiment, clock, version: "0.0.0-test" });
    for (const request of ${JSON.stringify(requests)}) {
      const onProgress = (message) => console.log(message);
      const { status } = await sandbox.execute({ ...request, signal: new AbortController().signal, onProgress });
      console.log("ended: " + status);
    }
  `;
  return spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
}

export async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}
