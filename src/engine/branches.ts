import { HypoError } from "../domain/errors.ts";
import type { Journal } from "./journal/journal.ts";
import { isBranchName } from "./journal/lineage.ts";

/** A run begins with two facts that belong together: run_started, and agent_spawned for the root. */
const FIRST_POINT = 2;

export interface ForkRequest {
  /** The fact after which the new branch goes on. */
  from: number;
  name: string;
  reason: string;
}

/**
 * Adds a named head at a fact; nothing is started. Doing it again changes nothing while the new branch has no fact of
 * its own.
 *
 * @throws HypoError `usage` for a name or fact that cannot be; `refused` where the name is taken; `storage_failed`.
 */
export async function forkBranch(journal: Journal, { from, name, reason }: ForkRequest): Promise<"forked" | "repeated"> {
  if (journal.heads.get(name) === from && journal.moves(name) === 1) return "repeated";
  checkName(journal, name);
  checkPoint(journal, from);
  await journal.moveBranch(name, from, undefined, reason).durable;
  return "forked";
}

/**
 * Puts the head of a branch at an earlier fact of its own ancestry. What was recorded after it stays in the journal.
 *
 * @throws HypoError `not_found` for an unknown branch; `usage` for a fact that cannot be; `refused` for one of another
 *   line; `storage_failed`.
 */
export async function rewindBranch(journal: Journal, branch: string, to: number, reason: string): Promise<"rewound" | "unchanged"> {
  const head = journal.head(branch);
  if (to === head) return "unchanged";
  checkPoint(journal, to);
  if (!journal.place.lineage.ancestorsOf(head)(to)) {
    throw new HypoError("refused", `Fact ${to} does not lie on branch ${branch}, whose head is ${head}.`, {
      hint: `Start a branch there instead: hypo fork <run> --from ${to} --as <name>`,
    });
  }
  await journal.moveBranch(branch, to, head, reason).durable;
  return "rewound";
}

function checkName(journal: Journal, name: string): void {
  if (!isBranchName(name)) {
    throw new HypoError("usage", `${JSON.stringify(name)} cannot name a branch.`, {
      hint: 'A name has letters, digits, ".", "_" and "-", at most 64 of them, and begins with a letter or digit.',
    });
  }
  // Branches have folders, and some file systems take both spellings for one.
  const taken = [...journal.heads.keys()].find((each) => each.toLowerCase() === name.toLowerCase());
  if (taken === undefined) return;
  throw new HypoError("refused", `The run has a branch ${taken} already, with its head at ${journal.head(taken)}.`, {
    hint: "Choose another name with --as; `hypo branches` lists those that are taken.",
  });
}

function checkPoint(journal: Journal, seq: number): void {
  const { last } = journal.place.lineage;
  if (Number.isInteger(seq) && seq >= FIRST_POINT && seq <= last) return;
  throw new HypoError("usage", `There is no fact ${seq} that a branch could go on from.`, {
    hint: `Facts ${FIRST_POINT} to ${last} can be named; \`hypo log\` shows them.`,
  });
}
