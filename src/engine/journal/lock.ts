import { randomBytes } from "node:crypto";
import { link, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { HypoError, systemCodeOf } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import type { Clock } from "../../domain/ports.ts";
import { PRIVATE_FILE, storageError } from "../../files/atomic.ts";
import { isAlive, isElsewhere, processIdentity, type ProcessIdentity } from "../../files/process-identity.ts";
import type { CrashAt } from "./crash-points.ts";

const LOCK_FILE = "lock";
const RETRY_MS = 5;
const TRIES = 400;

/** The folder a lock was made in. A copy has another inode, and a bind mount or a move keeps it. */
const FolderIdentity = z.object({ path: z.string(), device: z.string(), inode: z.string() });
type FolderIdentity = z.infer<typeof FolderIdentity>;

const Holder = z.object({ pid: z.int().min(1), started: z.string().min(1), boot: z.string(), host: z.string() });
const LockContent = z.object({ v: z.literal(1), holder: Holder, folder: FolderIdentity, at: z.string(), nonce: z.string() });
type LockContent = z.infer<typeof LockContent>;

interface LockOptions {
  clock: Clock;
  /** Told when a lock of a process that is gone is replaced. */
  say?: ((line: string) => void) | undefined;
  crashAt?: CrashAt | undefined;
}

/** The right to write a run's journal, until it is released. */
export interface Lock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a run folder: one process at a time, also when many try at once and when they find the lock of
 * a process that has ended.
 *
 * @throws HypoError `run_locked` naming the pid of the live holder; `storage_failed`.
 */
export async function takeLock(folder: string, options: LockOptions): Promise<Lock> {
  const path = join(folder, LOCK_FILE);
  try {
    const here = await identifyFolder(folder);
    const content = contentFor(here, options.clock);
    options.crashAt?.("lock.before_take");
    await acquire(path, content, here, options);
    options.crashAt?.("lock.taken");
    return { release: () => release(path, content) };
  } catch (error) {
    throw storageError(path, error);
  }
}

/** The process that holds a run, if one does that is alive or runs elsewhere. Takes nothing and changes nothing. */
export async function lockHolder(folder: string): Promise<ProcessIdentity | undefined> {
  const found = await readIfThere(join(folder, LOCK_FILE));
  if (found === undefined) return undefined;
  const judged = judge(found, await identifyFolder(folder));
  return judged.isHeld ? judged.holder : undefined;
}

/**
 * A lock file appears whole: it is written under another name and linked, which fails where the name is taken. To
 * replace a stale one, a process first takes a lock of the same kind named after the stale content. So only one can
 * replace exactly that content, and one that dies while doing so is itself replaced by the same rule.
 */
async function acquire(path: string, content: string, here: FolderIdentity, options: LockOptions): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await linkNew(path, content)) return;
    const found = await readIfThere(path);
    if (found === undefined) continue;
    const judged = judge(found, here);
    if (judged.isHeld) throw lockedError(path, judged.holder);
    if (await replaceStale(path, found, content, here, options)) {
      options.say?.(`Replaced the lock of ${judged.why}.`);
      return;
    }
    await options.clock.sleep(RETRY_MS);
  }
  throw new HypoError("run_locked", `Other processes keep taking and leaving ${path}.`, { hint: "Try again in a moment." });
}

/** True when `stale` was still there and `content` has taken its place. */
async function replaceStale(path: string, stale: string, content: string, here: FolderIdentity, options: LockOptions): Promise<boolean> {
  const guard = `${path}.${sha256(stale).slice(0, 16)}`;
  const guardContent = contentFor(here, options.clock);
  try {
    await acquire(guard, guardContent, here, { ...options, say: undefined });
  } catch (error) {
    if (error instanceof HypoError && error.code === "run_locked") return false;
    throw error;
  }
  try {
    if ((await readIfThere(path)) !== stale) return false;
    options.crashAt?.("lock.before_replace");
    await withTemporary(path, content, (temporary) => rename(temporary, path));
    return true;
  } finally {
    await release(guard, guardContent);
  }
}

type Judgement = { isHeld: true; holder: ProcessIdentity } | { isHeld: false; why: string };

function judge(found: string, here: FolderIdentity): Judgement {
  const lock = parse(found);
  if (!lock) return { isHeld: false, why: "nobody (it could not be read)" };
  const { holder, folder } = lock;
  if (!isSameFolder(folder, here)) return { isHeld: false, why: `the folder this one was copied from (${folder.path})` };
  if (isElsewhere(holder) || isAlive(holder)) return { isHeld: true, holder };
  return { isHeld: false, why: `process ${holder.pid}, which has ended` };
}

function lockedError(path: string, holder: ProcessIdentity): HypoError {
  return isElsewhere(holder)
    ? new HypoError("run_locked", `The run is held by process ${holder.pid} on ${holder.host}, which cannot be seen from here.`, {
        hint: `Stop it there. If it has ended, delete ${path}.`,
      })
    : new HypoError("run_locked", `The run is held by process ${holder.pid}, which is alive.`, {
        hint: "Watch it with `hypo show`, or end it with `hypo stop`.",
      });
}

/** Removes the lock if it is still ours. */
async function release(path: string, content: string): Promise<void> {
  if ((await readIfThere(path)) === content) await rm(path, { force: true });
}

async function linkNew(path: string, content: string): Promise<boolean> {
  try {
    await withTemporary(path, content, (temporary) => link(temporary, path));
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function withTemporary(path: string, content: string, use: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await using file = await open(temporary, "wx", PRIVATE_FILE);
    await file.writeFile(content);
    await file.datasync();
    await use(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}

function contentFor(folder: FolderIdentity, clock: Clock): string {
  const holder = processIdentity();
  if (!holder)
    throw new HypoError("internal", "The start time of this process cannot be found.", { hint: "Make /proc or `ps` available." });
  const content: LockContent = { v: 1, holder, folder, at: clock.now().toISOString(), nonce: randomBytes(8).toString("hex") };
  return `${JSON.stringify(content)}\n`;
}

function parse(found: string): LockContent | undefined {
  try {
    return LockContent.parse(JSON.parse(found));
  } catch {
    return undefined;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function identifyFolder(folder: string): Promise<FolderIdentity> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return { path: await realpath(folder), device: String(dev), inode: String(ino) };
}

/** Device numbers differ between machines that share a folder, paths between mounts of it; both do for a copy. */
function isSameFolder(a: FolderIdentity, b: FolderIdentity): boolean {
  return a.inode === b.inode && (a.device === b.device || a.path === b.path);
}
