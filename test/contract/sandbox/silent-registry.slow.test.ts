import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { execute, expectNothingLeft, openBench, withoutDocker, WRITE_METRICS } from "./support/real-engine.ts";

describe.skipIf(withoutDocker)("a registry that accepts connections and says nothing", () => {
  it("holds an experiment up for a bounded time, and the next one not at all", async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const image = `127.0.0.1:${(server.address() as AddressInfo).port}/nobody/nothing:1`;
    const bench = await openBench({ experiment: { images: [image] } });
    const times: number[] = [];
    for (const execution of [1, 2]) {
      const before = performance.now();
      expect(await execute(bench, { script: WRITE_METRICS, plan: { image }, execution })).toMatchObject({ status: "image_unavailable" });
      times.push(performance.now() - before);
    }
    expect(times[0]).toBeLessThan(25_000);
    expect(times[1]).toBeLessThan(5_000);
    await expectNothingLeft(bench.run);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});
