import { execFile, execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportReport } from "../../src/report/index.ts";
import { listenOnLoopback } from "../support/loopback.ts";
import { makeHostile } from "../unit/report/hostile-records.ts";

const run = promisify(execFile);

/** Debian's Chromium where it is installed. Without one the tests are skipped, unless HYPO_REQUIRE_CHROMIUM is set. */
function hasChromium(): boolean {
  try {
    execFileSync("chromium", ["--version", "--no-sandbox"], { stdio: "ignore", timeout: 60_000 });
    return true;
  } catch {
    if (process.env["HYPO_REQUIRE_CHROMIUM"] !== undefined)
      throw new Error("Chromium is required and does not start: scripts/ensure-chromium");
    return false;
  }
}

let folder: string;
let origin: string;
const asked: string[] = [];
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hypo-chromium-"));
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, { "content-type": "text/plain" }).end("");
  });
  const address = await listenOnLoopback(server);
  origin = address.origin;
  closing.push(address.close, () => rm(folder, { recursive: true, force: true }));
});
afterAll(async () => {
  for (const close of closing) await close();
});

/** The document as Chromium has it after everything in it has run. */
async function openInChromium(html: string): Promise<string> {
  const page = join(folder, "page.html");
  await writeFile(page, html);
  const flags = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--virtual-time-budget=4000",
    `--user-data-dir=${join(folder, "profile")}`,
  ];
  const { stdout } = await run("chromium", [...flags, "--dump-dom", `file://${page}`], { timeout: 120_000, maxBuffer: 64e6 });
  return stdout;
}

/** Every way in which text may try to run or to reach a server; what runs leaves the mark `data-ran` on the page. */
function payloads(): string[] {
  const mark = "document.documentElement.setAttribute('data-ran','1')";
  return [
    `<script>${mark}</script>`,
    `</title></style></script><script>${mark}</script>`,
    `"><img src="${origin}/img" onerror="${mark}">`,
    `' autofocus onfocus='${mark}'`,
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${mark}"><script>${mark}</script></svg>`,
    `<iframe srcdoc="<script>parent.${mark}</script>"></iframe>`,
    `<details open ontoggle="${mark}">`,
    `<meta http-equiv="refresh" content="0;url=${origin}/refresh">`,
    `<link rel="stylesheet" href="${origin}/css"><style>@import "${origin}/import"; * { background: url(${origin}/bg) }</style>`,
    `<base href="${origin}/"><form action="${origin}/form"><button autofocus>`,
    `javascript:${mark}`,
    `--><script>${mark}</script><!--`,
    `]]><script>${mark}</script>`,
  ];
}

describe.skipIf(!hasChromium())("a report with hostile text in a real browser", () => {
  it("shows that the payloads run where nobody escapes them", { timeout: 180_000 }, async () => {
    const before = asked.length;
    expect(await openInChromium(`<!doctype html><title>x</title><body>${payloads()[2]}${payloads()[0]}`)).toContain("data-ran");
    expect(asked.slice(before)).toContain("/img");
  });

  it.each(["with its policy", "without its policy"])("runs nothing and asks no server, %s", { timeout: 300_000 }, async (how) => {
    const before = asked.length;
    const text = payloads().join(" ");
    const { run: hostile, draft } = makeHostile(text);
    const html = exportReport("html", hostile, draft);
    const page = how === "with its policy" ? html : html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
    const dom = await openInChromium(page);
    expect(dom).toContain("How it was done");
    expect(dom).not.toMatch(/<html[^>]* data-ran/);
    expect(asked.slice(before)).toEqual([]);
  });
});
