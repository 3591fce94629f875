import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { DeriveJob } from "../../../src/gateway/extract/derived-text.ts";
import { ExtractionPool } from "../../../src/gateway/extract/extraction-pool.ts";
import { article, makeTemporaryFolder, signal } from "./support/gateway.ts";
import { closeAfterwards } from "./support/serve.ts";
import { asianFont, makePdf } from "./support/pdf.ts";

const LIMITS = { timeoutMs: 10_000, startMs: 60_000, memoryMb: 256, workers: 2 };

function openPool(limits: Partial<typeof LIMITS> = {}, workerFile?: URL): ExtractionPool {
  const pool = new ExtractionPool({ ...LIMITS, ...limits }, workerFile);
  closeAfterwards(() => pool.close());
  return pool;
}

function htmlJob(html: string): DeriveJob {
  return { bytes: Buffer.from(html), mime: "text/html", kind: "html", url: "https://e.org/" };
}

function pdfJob(bytes: Uint8Array): DeriveJob {
  return { bytes, mime: "application/pdf", kind: "pdf", url: "https://e.org/paper.pdf" };
}

/** A worker that misbehaves as told by its job's URL. */
async function writeRogue(): Promise<URL> {
  const path = join(await makeTemporaryFolder(), "rogue.mjs");
  await writeFile(
    path,
    `import { parentPort } from "node:worker_threads";
     parentPort.on("message", ({ url }) => {
       if (url === "never start") return;
       parentPort.postMessage({ started: true });
       if (url === "loop") for (;;);
       if (url === "hoard") { const hoard = []; for (;;) hoard.push(new Array(100_000).fill(hoard.length)); }
       if (url === "exit") process.exit(3);
       if (url === "throw") throw new Error("boom");
       parentPort.postMessage({ ok: true, derived: { text: url, extractor: "rogue", bibliography: {}, thin: false, warnings: [] } });
     });`,
  );
  return pathToFileURL(path);
}

describe("making text in worker threads", () => {
  it("gives the same text whichever worker makes it", async () => {
    const job = htmlJob(article("Same", "<p>Words, here.</p>"));
    const pool = openPool();
    const texts = await Promise.all(Array.from({ length: 5 }, async () => (await pool.run(job, signal)).text));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain("# Same");
  });

  it.each([
    ["loop", "timeout", 2_000],
    ["hoard", "too_large", 10_000],
    ["exit", "no_text", 10_000],
    ["throw", "no_text", 10_000],
  ])("survives a document that makes its worker %s", async (url, code, timeoutMs) => {
    const pool = openPool({ timeoutMs, memoryMb: 32, workers: 1 }, await writeRogue());
    await expect(pool.run({ ...htmlJob(""), url }, signal)).rejects.toMatchObject({ code });
    expect((await pool.run({ ...htmlJob(""), url: "fine" }, signal)).text).toBe("fine");
  });

  it("gives up a worker that does not start", async () => {
    const pool = openPool({ startMs: 300, workers: 1 }, await writeRogue());
    await expect(pool.run({ ...htmlJob(""), url: "never start" }, signal)).rejects.toMatchObject({ code: "timeout" });
  });

  it("leaves no thread behind that keeps the process from ending, whatever the documents did", async () => {
    const folder = await makeTemporaryFolder();
    const program = join(folder, "program.mjs");
    const built = (path: string): string => JSON.stringify(new URL(`../../../dist/gateway/${path}`, import.meta.url).href);
    await writeFile(
      program,
      `import { ExtractionPool } from ${built("extract/extraction-pool.js")};
       const bytes = Buffer.from("<p>Words, here.</p>");
       const job = (url) => ({ bytes, mime: "text/html", kind: "html", url });
       const limits = { timeoutMs: 60_000, startMs: 60_000, memoryMb: 256, workers: 2 };
       const never = new AbortController().signal;
       const file = new URL(${JSON.stringify((await writeRogue()).href)});
       const rogue = new ExtractionPool({ ...limits, memoryMb: 32 }, file);
       const hasty = new ExtractionPool({ ...limits, timeoutMs: 500 }, file);
       for (const url of ["loop", "hoard", "exit", "throw"]) {
         await (url === "loop" ? hasty : rogue).run(job(url), never).then(() => console.log("no error"), (error) => console.log(url, error.code));
       }
       const stop = new AbortController();
       const stopped = rogue.run(job("loop"), stop.signal).catch((error) => console.log("stopped", error.code));
       stop.abort();
       await stopped;
       await rogue.run(job("fine"), never);
       await new ExtractionPool(limits).run(job("https://e.org/"), never);
       console.log("done");
       // Nothing is closed: the process is to end by itself.`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 100_000, killSignal: "SIGKILL" });
    expect(stdout.trim().split("\n")).toEqual([
      "loop timeout",
      "hoard too_large",
      "exit no_text",
      "throw no_text",
      "stopped refused",
      "done",
    ]);
  }, 120_000);

  it("ends at once when the caller stops it", async () => {
    const pool = openPool({ workers: 1 }, await writeRogue());
    const stop = new AbortController();
    const running = pool.run({ ...htmlJob(""), url: "loop" }, stop.signal);
    setTimeout(() => stop.abort(), 50);
    await expect(running).rejects.toMatchObject({ code: "refused" });
  });

  it("reads a PDF page by page, with its title, author and identifiers", async () => {
    const bytes = makePdf(["Hello from page one. doi:10.1000/XYZ.1", "And this is page two."], {
      Title: "A paper",
      Author: "Ada Lovelace; Charles Babbage",
    });
    const { text, bibliography } = await openPool().run(pdfJob(bytes), signal);
    expect(text).toBe("[page 1]\nHello from page one. doi:10.1000/XYZ.1\n\n[page 2]\nAnd this is page two.");
    expect(bibliography).toEqual({ title: "A paper", authors: ["Ada Lovelace", "Charles Babbage"], doi: "10.1000/xyz.1" });
  });

  it("says that a PDF has no text layer", async () => {
    await expect(openPool().run(pdfJob(makePdf(["", ""], {})), signal)).rejects.toMatchObject({
      code: "no_text",
      message: expect.stringContaining("2 page images"),
    });
  });

  it.each([
    ["UniGB-UCS2-H", "GB1", "<7814 7a76 8868 660e>", "研究表明"],
    ["GBK-EUC-H", "GB1", "<d1d0 bebf b1ed c3f7>", "研究表明"],
    ["UniJIS-UTF16-H", "Japan1", "<7814 7a76 306b 3088 308b 3068>", "研究によると"],
    ["90ms-RKSJ-H", "Japan1", "<8ca4 8b86 82c9 82e6 82e9 82c6>", "研究によると"],
    ["ETen-B5-H", "CNS1", "<ace3 a873>", "研究"],
    ["KSCms-UHC-H", "Korea1", "<bfac b1b8>", "연구"],
    ["Identity-H", "Japan1", "<0cd1 050e>", "肉煙"],
  ])("reads PDFs in %s of Adobe-%s that do not say what their characters are", async (encoding, ordering, line, expected) => {
    const pdf = makePdf([line.replaceAll(" ", "")], {}, asianFont(encoding, ordering));
    expect((await openPool().run(pdfJob(pdf), signal)).text).toBe(`[page 1]\n${expected}`);
  });

  it("says that a PDF has text which cannot be told", async () => {
    await expect(openPool().run(pdfJob(makePdf(["N-e", ""], {}, asianFont("Nobodys-H", "GB1"))), signal)).rejects.toMatchObject({
      code: "no_text",
      message: expect.stringContaining("fonts that do not say what their characters are"),
    });
  });

  it("puts words of a PDF together that a line end has cut", async () => {
    const { text } = await openPool().run(pdfJob(makePdf(["It is an exam-\nple of a well-\nknown kind", "well-known"], {})), signal);
    expect(text).toBe("[page 1]\nIt is an example\nof a well-known\nkind\n\n[page 2]\nwell-known");
  });

  it("says that a PDF cannot be opened", async () => {
    await expect(openPool().run(pdfJob(Buffer.from("%PDF-1.7\nnonsense")), signal)).rejects.toMatchObject({ code: "unsupported_type" });
  });
});
