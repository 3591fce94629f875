import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createPlainServer, type AddressInfo, type Socket } from "node:net";
import { afterEach } from "vitest";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Site {
  origin: string;
  /** `host:port`, as gateway.allow_hosts wants it. */
  host: string;
  port: number;
  /** Paths asked for, in order. */
  asked: string[];
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** Has something closed after the test. */
export function closeAfterwards(close: () => Promise<void>): void {
  closing.push(close);
}

/** A real HTTP server on loopback; a handler by path, `*` for all others, 404 else. */
export async function serve(handlers: Record<string, Handler>, options: { maxHeaderSize?: number } = {}): Promise<Site> {
  const asked: string[] = [];
  const server = createServer(options, (request, response) => {
    asked.push(request.url ?? "");
    const [path = ""] = (request.url ?? "").split("?");
    const handler = handlers[path] ?? handlers["*"];
    if (handler === undefined) response.writeHead(404, { "content-type": "text/plain" }).end("no such page");
    else handler(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closeAfterwards(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, port, asked };
}

/** A server that answers whatever is asked with these very bytes, which need not be HTTP, over a socket of its own. */
export async function serveBytes(answer: (write: (bytes: string) => void) => void): Promise<{ origin: string; host: string }> {
  const sockets = new Set<Socket>();
  const server = createPlainServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    socket.once("data", () => answer((bytes) => void (socket.writable && socket.write(bytes, "latin1"))));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closeAfterwards(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` };
}

/** A handler that answers with a body. */
export function reply(body: string | Uint8Array, headers: Record<string, string> = { "content-type": "text/html" }, status = 200): Handler {
  return (_, response) => void response.writeHead(status, headers).end(body);
}

export function redirect(location: string, status = 302): Handler {
  return (_, response) => void response.writeHead(status, { location }).end();
}
