import { pipeline } from "node:stream/promises";
import { Transform } from "node:stream";
import type { Headers } from "tar-stream";
import { HypoError, messageOf, systemCodeOf } from "../domain/errors.ts";
import { sha256 } from "../domain/hash.ts";
import { foldedName, pathProblem } from "./file-names.ts";
import { METRICS_BYTES_MAX } from "./metrics.ts";

const MIB = 1024 * 1024;
const ENTRIES_MAX = 4096;
const FILE_BYTES_MAX = 64 * MIB;
const REFUSALS_MAX = 100;
/** How a refused name is shown: cut, so that a report stays readable. */
const SHOWN_NAME = 200;

export interface Artifacts {
  files: { path: string; size: number; sha256: string }[];
  refused: { path: string; reason: string }[];
  /** Why the rest was not read, where it was not. */
  cut: string | undefined;
  /** metrics.json, where it is a regular file of a readable size. */
  metrics: Uint8Array | undefined;
}

/** Keeps an artefact under a checked relative path. */
export type KeepArtifact = (path: string, bytes: Uint8Array) => Promise<void>;

/**
 * Reads the archive of /out, which the experiment shaped as it liked. Only regular files with safe names are kept;
 * links, devices and pipes are listed as refused; a header that announces more than the limits ends the reading
 * before its content is awaited. Nothing is ever created but plain files through `keep`.
 *
 * @throws HypoError of `keep`, and the system's error where the engine did not send the archive to its end
 */
export async function readArtifacts(archive: NodeJS.ReadableStream, bytesMax: number, keep: KeepArtifact): Promise<Artifacts> {
  const reader = new ArtifactReader(bytesMax, keep);
  const { extract } = await import("tar-stream");
  const tar = extract();
  tar.on("entry", (header, body, next) => {
    void readEntry(reader, header, body, next);
  });
  try {
    await pipeline(archive, boundBytes(2 * bytesMax + ENTRIES_MAX * 2048), tar);
  } catch (error) {
    // A disk that is full and an engine that went away are no doing of the experiment.
    if (error instanceof HypoError || systemCodeOf(error) !== undefined) throw error;
    reader.artifacts.cut = error instanceof CutError ? error.message : `the archive cannot be read: ${messageOf(error)}`;
  }
  reader.artifacts.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return reader.artifacts;
}

/** Reads one entry, and lets the archive go on or fail. */
async function readEntry(
  reader: ArtifactReader,
  header: Headers,
  body: NodeJS.ReadableStream,
  next: (error?: unknown) => void,
): Promise<void> {
  try {
    await reader.read(header, body);
  } catch (error) {
    next(error);
    return;
  }
  next();
}

/** Thrown to stop reading; its message is the reason. */
class CutError extends Error {}

class ArtifactReader {
  readonly artifacts: Artifacts = { files: [], refused: [], cut: undefined, metrics: undefined };
  private readonly bytesMax: number;
  private readonly keep: KeepArtifact;
  private readonly names = new Set<string>();
  /** Of the artefacts that are kept. */
  private readonly folders = new Set<string>();
  private entries = 0;
  private bytes = 0;

  constructor(bytesMax: number, keep: KeepArtifact) {
    this.bytesMax = bytesMax;
    this.keep = keep;
  }

  async read(header: Headers, body: NodeJS.ReadableStream): Promise<void> {
    this.entries += 1;
    if (this.entries > ENTRIES_MAX) throw new CutError(`there are more than ${ENTRIES_MAX} files`);
    const path = header.name.replace(/^(?:\.\/)+/, "").replace(/\/$/, "");
    const problem = header.type === "directory" ? undefined : this.problemOf(header, path);
    if (header.type === "directory" || problem !== undefined) {
      if (problem !== undefined) this.refuse(path, problem);
      await drain(body);
      return;
    }
    const content = await readBody(body);
    this.names.add(foldedName(path));
    for (const folder of foldersAbove(foldedName(path))) this.folders.add(folder);
    this.bytes += content.length;
    await this.keep(path, content);
    this.artifacts.files.push({ path, size: content.length, sha256: sha256(content) });
    if (path === "metrics.json" && content.length <= METRICS_BYTES_MAX) this.artifacts.metrics = content;
  }

  private problemOf(header: Headers, path: string): string | undefined {
    if (header.type !== "file" && header.type !== "contiguous-file") return `it is ${KINDS[header.type ?? "file"] ?? "not a regular file"}`;
    const size = header.size ?? 0;
    if (size > FILE_BYTES_MAX || this.bytes + size > this.bytesMax) {
      this.refuse(path, `its ${size} bytes are over the limit`);
      throw new CutError(
        `${JSON.stringify(path.slice(0, SHOWN_NAME))} announces ${size} bytes, which is over the limit; what follows was not read`,
      );
    }
    return pathProblem(path) ?? this.clashOf(foldedName(path));
  }

  /** Where case does not count, a file and a folder cannot both have a name either. */
  private clashOf(name: string): string | undefined {
    if (this.names.has(name)) return "another artefact has the same name";
    if (this.folders.has(name)) return "a folder of other artefacts has the same name";
    return foldersAbove(name).some((folder) => this.names.has(folder)) ? "another artefact has the name of its folder" : undefined;
  }

  private refuse(path: string, reason: string): void {
    if (this.artifacts.refused.length < REFUSALS_MAX) this.artifacts.refused.push({ path: path.slice(0, SHOWN_NAME), reason });
  }
}

function foldersAbove(name: string): string[] {
  const parts = name.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

const KINDS: Record<string, string> = {
  link: "a hard link",
  symlink: "a symbolic link",
  "character-device": "a device",
  "block-device": "a device",
  fifo: "a pipe",
};

async function readBody(body: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function drain(body: NodeJS.ReadableStream): Promise<void> {
  body.resume();
  await new Promise<void>((resolve, reject) => {
    body.on("end", resolve);
    body.on("error", reject);
  });
}

/** Passes bytes on, and fails after `most` of them: headers alone could go on without end. */
function boundBytes(most: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      if (passed > most) done(new CutError("the archive is longer than the limits allow"));
      else done(null, chunk);
    },
  });
}
