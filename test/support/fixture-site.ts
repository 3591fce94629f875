import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemCodeOf } from "../../src/domain/errors.ts";
import { listenOnLoopback } from "./loopback.ts";

interface SiteRequest {
  method: string;
  path: string;
  status: number;
  userAgent: string | undefined;
}

export interface FixtureSite {
  /** `127.0.0.1:<port>`, as `gateway.allow_hosts` takes it. */
  host: string;
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  origin: string;
  /** Every request so far, as it was answered. */
  requests: readonly SiteRequest[];
  close: () => Promise<void>;
}

export interface FixtureSiteOptions {
  /** Milliseconds before `/slow.html` answers; 1500 by default. */
  slowMs?: number;
}

const PAGES = new URL("../fixtures/site/", import.meta.url);
const TYPES: Record<string, string> = { ".html": "text/html; charset=utf-8", ".txt": "text/plain; charset=utf-8" };

/** Addresses that answer with a redirect. The last leads to where no reader may go. */
const REDIRECTS: Record<string, string> = {
  "/old-address.html": "/merge-sort.html",
  "/loop.html": "/loop.html",
  "/to-metadata.html": "http://169.254.169.254/latest/meta-data/",
};

/** Serves the pages of `test/fixtures/site` on loopback; every other address is a 404 page. */
export async function startFixtureSite(options: FixtureSiteOptions = {}): Promise<FixtureSite> {
  const requests: SiteRequest[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://site").pathname;
    void answerRequest(path, response, options).then((status) => requests.push(recordOf(request, path, status)));
  });
  return { ...(await listenOnLoopback(server)), requests };
}

/** Answers, and returns the status it gave. */
async function answerRequest(path: string, response: ServerResponse, { slowMs = 1500 }: FixtureSiteOptions): Promise<number> {
  const target = REDIRECTS[path];
  if (target !== undefined) {
    response.writeHead(302, { location: target }).end();
    return 302;
  }
  if (path === "/slow.html") await sleep(slowMs);
  const name = path === "/" ? "index.html" : path.slice(1);
  const page = await readPage(name);
  if (page === undefined) {
    response.writeHead(404, { "content-type": TYPES[".html"] }).end(await readPage("not-found.html"));
    return 404;
  }
  response.writeHead(200, { "content-type": TYPES[extname(name)], "last-modified": "Tue, 02 Jul 2024 08:00:00 GMT" }).end(page);
  return 200;
}

/** The bytes of a page, or undefined where the site has none of that name. */
async function readPage(name: string): Promise<Buffer | undefined> {
  if (!/^[a-z-]+\.(html|txt)$/.test(name)) return undefined;
  return readFile(fileURLToPath(new URL(name, PAGES))).catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  });
}

function recordOf(request: IncomingMessage, path: string, status: number): SiteRequest {
  return { method: request.method ?? "GET", path, status, userAgent: request.headers["user-agent"] };
}
