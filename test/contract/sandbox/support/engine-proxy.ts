import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** What to do with a request to the engine, told as `POST /containers/create`: nothing, or an answer in its place. */
type Meddle = (call: string) => { status: number; message: string } | void | Promise<void>;

export interface EngineProxy {
  /** As DOCKER_HOST says it. */
  host: string;
  /** Requests passed on so far, without versions, ids and queries. */
  calls: string[];
  /** Requests that are neither answered to their end nor given up. */
  open: number;
  /** Called before a request is passed on, and again when its answer began. */
  before: Meddle;
  after: Meddle;
  /** Ends all connections and takes no new ones, as an engine that stops. */
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  start(): Promise<void>;
}

/** Stands between hypo and the real engine, so that the engine can be slow, refuse or go away. */
export async function startEngineProxy(): Promise<EngineProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming, answer) => void pass(incoming, answer, proxy).catch(() => answer.destroy()));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  let port = 0;
  const proxy: EngineProxy = {
    host: "",
    calls: [],
    open: 0,
    before: () => undefined,
    after: () => undefined,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await delay(1);
    },
    async start() {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      port = (server.address() as AddressInfo).port;
      proxy.host = `tcp://127.0.0.1:${port}`;
    },
  };
  await proxy.start();
  return proxy;
}

async function pass(incoming: IncomingMessage, answer: ServerResponse, proxy: EngineProxy): Promise<void> {
  const call = `${incoming.method} ${(incoming.url ?? "")
    .replace(/\?.*/, "")
    .replace(/^\/v[\d.]+/, "")
    .replace(/[0-9a-f]{64}/, "ID")}`;
  proxy.open += 1;
  answer.on("close", () => (proxy.open -= 1));
  const instead = await proxy.before(call);
  if (instead) {
    answer.writeHead(instead.status, { "Content-Type": "application/json" }).end(JSON.stringify({ message: instead.message }));
    return;
  }
  proxy.calls.push(call);
  const { method, url: path, headers } = incoming;
  const onwards = request({ socketPath: "/var/run/docker.sock", method, path, headers });
  incoming.pipe(onwards);
  incoming.on("error", () => onwards.destroy());
  answer.on("close", () => onwards.destroy());
  const [response] = (await once(onwards, "response")) as [IncomingMessage];
  await proxy.after(call);
  answer.writeHead(response.statusCode ?? 500, response.headers);
  answer.flushHeaders();
  response.on("error", () => answer.destroy());
  response.pipe(answer);
}
