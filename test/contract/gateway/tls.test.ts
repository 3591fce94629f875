import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { createGuardedClient } from "../../../src/gateway/guarded-client.ts";
import { PoliteQueue } from "../../../src/gateway/politeness.ts";
import { realClock } from "./support/gateway.ts";
import { CERTIFICATE, CERTIFICATE_KEY } from "./support/certificate.ts";
import { closeAfterwards } from "./support/serve.ts";

const LIMITS = { maxBytes: 10_000, firstByteMs: 1_000, totalMs: 2_000, idleMs: 1_000 };
const signal = new AbortController().signal;
const usual = getCACertificates("default");
afterEach(() => setDefaultCACertificates(usual));

async function serveSecurely(): Promise<{ port: number; names: unknown[] }> {
  const names: unknown[] = [];
  const server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (request, response) => {
    names.push((request.socket as TLSSocket & { servername?: string }).servername);
    response.end("secure");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closeAfterwards(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return { port: (server.address() as AddressInfo).port, names };
}

async function readFrom(host: string, port: number): Promise<string> {
  const allowHosts = [`${host}:${port}`];
  const client = createGuardedClient({
    userAgent: "hypo/test",
    allowHosts,
    limits: LIMITS,
    queue: new PoliteQueue(realClock),
    resolve: async () => ["127.0.0.1"],
  });
  closeAfterwards(() => client.close());
  const { body } = await client.get(`https://${host}:${port}/`, { signal });
  return Buffer.from(body).toString();
}

describe("TLS", () => {
  it("asks for the name of the URL although the connection is pinned to an address", async () => {
    setDefaultCACertificates([...usual, CERTIFICATE]);
    const { port, names } = await serveSecurely();
    expect(await readFrom("pinned.example.com", port)).toBe("secure");
    expect(names).toEqual(["pinned.example.com"]);
  });

  it("refuses a certificate for another name", async () => {
    setDefaultCACertificates([...usual, CERTIFICATE]);
    const { port, names } = await serveSecurely();
    await expect(readFrom("other.example.com", port)).rejects.toMatchObject({ code: "tls_error" });
    expect(names).toEqual([]);
  });

  it("refuses a certificate that nobody vouches for, also for an allowed host", async () => {
    const { port } = await serveSecurely();
    await expect(readFrom("pinned.example.com", port)).rejects.toMatchObject({ code: "tls_error" });
  });

  it("stays checked where the environment says not to check", async () => {
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    closeAfterwards(async () => void delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]);
    const { port } = await serveSecurely();
    await expect(readFrom("pinned.example.com", port)).rejects.toMatchObject({ code: "tls_error" });
  });
});
