import { readdir, readFile, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { HypoError, systemCodeOf } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import { storageError, writeFileAtomic } from "../../files/atomic.ts";
import type { Project } from "./project.ts";
import { userStateFolder } from "./user-folders.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** One decision of the person: the configuration of this folder, as it read then, may set anything. */
const TrustRecord = z.object({
  v: z.literal(1),
  /** Real path of the folder that holds `.hypo`. */
  folder: z.string(),
  /** SHA-256 of `.hypo/config.yaml`. */
  config_sha256: z.string(),
  at: z.string(),
});
export type TrustRecord = z.infer<typeof TrustRecord>;

/**
 * Whether the person trusted exactly this text as the configuration of the project. Trust is by real path and content:
 * a copy elsewhere, and the file after any change, are not trusted. A record that cannot be read trusts nothing.
 */
export async function isTrusted(project: Project, configText: string, env: Env): Promise<boolean> {
  const folder = trustFolder(env);
  if (folder === undefined) return false;
  const root = await realpath(project.root);
  const record = await readRecord(recordPath(folder, root));
  return record?.folder === root && record.config_sha256 === sha256(configText);
}

/**
 * Keeps that the person trusts this text as the project's configuration; an earlier decision on the folder is replaced.
 *
 * @throws HypoError `storage_failed`; `not_configured` where there is no place to keep it.
 */
export async function trustConfig(project: Project, configText: string, env: Env, now: Date): Promise<TrustRecord> {
  const folder = requireTrustFolder(env);
  const root = await realpath(project.root);
  const record: TrustRecord = { v: 1, folder: root, config_sha256: sha256(configText), at: now.toISOString() };
  await writeFileAtomic(recordPath(folder, root), `${JSON.stringify(record)}\n`).catch((error: unknown) => {
    if (!(error instanceof HypoError)) throw error;
    const hint = "Set XDG_STATE_HOME to a folder that you may write to: trust is kept there.";
    throw new HypoError(error.code, error.message, { hint, cause: error });
  });
  return record;
}

/** Takes trust back. Resolves to whether there was any. Throws `storage_failed`. */
export async function revokeTrust(root: string, env: Env): Promise<boolean> {
  const path = recordPath(requireTrustFolder(env), await realpath(root).catch(() => root));
  return rm(path).then(
    () => true,
    (error: unknown) => {
      if (systemCodeOf(error) === "ENOENT") return false;
      throw storageError(path, error);
    },
  );
}

/** Every decision that is kept, by folder. */
export async function listTrusted(env: Env): Promise<TrustRecord[]> {
  const folder = trustFolder(env);
  if (folder === undefined) return [];
  const names = await readdir(folder).catch(() => []);
  const records = await Promise.all(names.filter((name) => name.endsWith(".json")).map((name) => readRecord(join(folder, name))));
  return records.filter((record) => record !== undefined).toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

function trustFolder(env: Env): string | undefined {
  const state = userStateFolder(env);
  return state && join(state, "trust");
}

function requireTrustFolder(env: Env): string {
  const folder = trustFolder(env);
  if (folder !== undefined) return folder;
  throw new HypoError("not_configured", "There is no place to keep trust: neither XDG_STATE_HOME nor HOME is an absolute path.", {
    hint: "Set one of them to a folder of yours, from `/` on.",
  });
}

/** One file a folder, so that two processes that trust two folders do not undo each other. */
function recordPath(folder: string, root: string): string {
  return join(folder, `${sha256(root).slice(0, 32)}.json`);
}

async function readRecord(path: string): Promise<TrustRecord | undefined> {
  try {
    return TrustRecord.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}
