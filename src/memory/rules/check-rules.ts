/** What notes must keep to whoever writes them, and what their runs published. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { IndexView } from "../index/live-index.ts";
import { SUPERSEDED_BY } from "../index/note-rows.ts";
import type { EvidenceRange } from "../notes/note.ts";
import { isProblem, parseNote } from "../notes/parse-note.ts";
import { allowedMoves, isAllowedMove } from "./status-moves.ts";

/** A published note as its run's journal has it. */
export interface PublishedNote {
  run: string;
  status: string;
  /** SHA-256 of the file. */
  sha256: string;
}

/** What memory asks of the rest of hypo to judge its notes. */
export interface Witnesses {
  /** The publication of each note, by id. */
  published: ReadonlyMap<string, PublishedNote>;
  /** How many different documents hold this evidence, of those whose text is stored as it was cited. */
  countIndependent(evidence: EvidenceRange[]): Promise<number>;
}

/** A note that breaks a rule. */
interface BrokenRule {
  path: string;
  id: string;
  message: string;
}

/** A published note whose file was changed by hand: welcome, and shown. */
interface EditedNote {
  path: string;
  id: string;
  run: string;
}

interface NoteState {
  path: string;
  id: string;
  status: string;
  sha256: string;
  hasSuccessor: number;
}

export interface RuleCheck {
  rules: BrokenRule[];
  edited: EditedNote[];
}

/** Every note as the rules need it. */
export function readStates({ reader }: IndexView): NoteState[] {
  return reader
    .prepare<[string], NoteState>(
      `SELECT n.path, n.id, n.status, f.sha256,
         EXISTS (SELECT 1 FROM relations r WHERE r.note = n.note AND r.kind = ?) AS hasSuccessor
       FROM notes n JOIN files f ON f.path = n.path WHERE n.duplicate = 0 ORDER BY n.path`,
    )
    .all(SUPERSEDED_BY);
}

export async function checkRules(root: string, states: NoteState[], witnesses: Witnesses): Promise<RuleCheck> {
  const rules: BrokenRule[] = [];
  const edited: EditedNote[] = [];
  for (const { path, id, status, sha256, hasSuccessor } of states) {
    const tell = (message: string) => rules.push({ path, id, message });
    const published = witnesses.published.get(id);
    if (published !== undefined && published.sha256 !== sha256) edited.push({ path, id, run: published.run });
    if (published !== undefined && !isAllowedMove(published.status, status)) {
      tell(`${published.status} cannot become ${status}; it can become ${allowedMoves(published.status).join(", ")}`);
    }
    if (status === "outdated" && hasSuccessor === 0) {
      tell("an outdated note names its successor as `superseded_by`; `hypo memory retire` writes it");
    }
    if (status === "corroborated") {
      const found = await witnesses.countIndependent(await readEvidence(join(root, path)));
      if (found < 2) tell(`corroborated needs verified evidence from two independent sources, and this is ${found}`);
    }
  }
  return { rules, edited };
}

async function readEvidence(path: string): Promise<EvidenceRange[]> {
  const note = await parseNote(await readFile(path, "utf8").catch(() => ""), "");
  return isProblem(note) ? [] : note.evidence;
}
