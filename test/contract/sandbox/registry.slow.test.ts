import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute, expectNothingLeft, IMAGE, openBench, withoutDocker, WRITE_METRICS } from "./support/real-engine.ts";

const SETUP = fileURLToPath(new URL("../../../scripts/ensure-registry", import.meta.url));
const withoutRegistry = withoutDocker || spawnSync(SETUP, { stdio: "inherit" }).status !== 0;

describe.skipIf(withoutRegistry)("an image that only a registry has", () => {
  let registry: ChildProcess;
  let folder: string;
  let image: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hypo-registry-"));
    const port = await freePort();
    image = `127.0.0.1:${port}/hypo/python:1`;
    const config = `version: 0.1\nstorage:\n  filesystem:\n    rootdirectory: ${folder}/data\nhttp:\n  addr: 127.0.0.1:${port}\n`;
    writeFileSync(join(folder, "config.yml"), config);
    registry = spawn("docker-registry", ["serve", join(folder, "config.yml")], { stdio: "ignore" });
    await waitForAnswer(`http://127.0.0.1:${port}/v2/`);
    docker("tag", IMAGE, image);
    docker("push", "-q", image);
    docker("image", "rm", image);
  }, 120_000);
  afterAll(async () => {
    spawnSync("docker", ["image", "rm", image], { stdio: "ignore" });
    registry.kill();
    await once(registry, "exit");
    rmSync(folder, { recursive: true, force: true });
  });

  it("is pulled with progress, used, and then there for the next one", async () => {
    const bench = await openBench({ experiment: { images: [image] } });
    const said: string[] = [];
    const onProgress = (message: string): void => void said.push(message);
    const first = await execute(bench, { script: WRITE_METRICS, plan: { image }, onProgress });
    expect(first).toMatchObject({ status: "completed", outcome: "met", image });
    expect(said[0]).toBe(`pulling the image ${image}`);
    expect(said.filter((message) => message.startsWith(`pulling the image ${image}: `)).length).toBeGreaterThan(0);
    said.length = 0;
    const second = await execute(bench, { script: WRITE_METRICS, plan: { image }, execution: 2, onProgress });
    expect(second).toMatchObject({ status: "completed", image_id: first.image_id });
    expect(said).toEqual(["the experiment is running"]);
    await expectNothingLeft(bench.run);
  });

  it("under a name that the registry does not have is a result with its words", async () => {
    const unknown = image.replace("python", "nothing");
    const bench = await openBench({ experiment: { images: [unknown] } });
    const result = await execute(bench, { script: WRITE_METRICS, plan: { image: unknown } });
    expect(result).toMatchObject({
      status: "image_unavailable",
      reason: expect.stringMatching(/cannot be pulled: .*(?:not found|unknown)/),
    });
  });
});

function docker(...argv: string[]): void {
  execFileSync("docker", argv, { stdio: ["ignore", "ignore", "inherit"] });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function waitForAnswer(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const answered = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return;
    await delay(100);
  }
  throw new Error(`${url} does not answer`);
}
