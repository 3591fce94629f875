/** Entry of the worker threads: one job in, one outcome out. Bytes of strangers are parsed here and nowhere else. */
import { Console } from "node:console";
import { Writable } from "node:stream";
import { parentPort } from "node:worker_threads";
import { HypoError, messageOf, type ErrorCode } from "../../domain/errors.ts";
import type { DerivedText, DeriveJob } from "./derived-text.ts";

export type ExtractionOutcome =
  | { ok: true; derived: DerivedText }
  | { ok: false; code: ErrorCode; message: string; hint: string | undefined };

/** Sent when the libraries are loaded: from here on the time is the document's. */
export interface ExtractionStart {
  started: true;
}

/** Libraries print what they dislike in a page; nobody reads it, so it is not kept either. */
globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }));

parentPort?.on("message", (job: DeriveJob) => {
  void derive(job).then((outcome) => parentPort?.postMessage(outcome, []));
});

async function derive(job: DeriveJob): Promise<ExtractionOutcome> {
  try {
    const deriver = await loadDeriver(job);
    parentPort?.postMessage({ started: true } satisfies ExtractionStart, []);
    return { ok: true, derived: await deriver(job) };
  } catch (error) {
    if (error instanceof HypoError) return { ok: false, code: error.code, message: error.message, hint: error.hint };
    return { ok: false, code: "no_text", message: `${job.url} cannot be taken apart (${messageOf(error)}).`, hint: "Read another source." };
  }
}

async function loadDeriver({ kind }: DeriveJob): Promise<(job: DeriveJob) => DerivedText | Promise<DerivedText>> {
  return kind === "pdf" ? (await import("./pdf.ts")).deriveFromPdf : (await import("./html.ts")).deriveFromHtml;
}
