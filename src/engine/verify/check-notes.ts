import { join } from "node:path";
import type { EventData } from "../../domain/events.ts";
import { sha256 } from "../../domain/hash.ts";
import type { Memory } from "../../domain/ports.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";
import { carriesClaims, changedParts } from "./note-parts.ts";
import type { Outcome } from "./outcome.ts";
import { readIfThere } from "./read-files.ts";

/** Notes against what was published. A hand edit is welcome and is shown, with the finding where claims rest on it. */
export async function checkNotes(stateFolder: string, facts: EvidenceFacts, memory: Memory, found: Outcome): Promise<void> {
  for (const { data } of facts.of("finding_published")) {
    found.checked.notes += 1;
    await checkNote(stateFolder, data, memory, found);
  }
  for (const { data } of facts.of("conclusion_kept")) {
    found.checked.notes += 1;
    await checkConclusion(stateFolder, data, memory, found);
  }
}

/** What code kept of the whole run; no claim rests on it. */
async function checkConclusion(stateFolder: string, data: EventData<"conclusion_kept">, memory: Memory, found: Outcome): Promise<void> {
  const { id, note, note_sha256 } = data;
  const present = (await readIfThere(join(stateFolder, "memory", note))) ?? (await findMoved(id, memory));
  if (present === undefined) found.add("note_missing", `memory/${note}`, `The note ${id} is missing.`, []);
  else if (sha256(present) !== note_sha256) found.add("note_edited", `memory/${note}`, "Edited since it was kept.", []);
}

async function checkNote(stateFolder: string, data: EventData<"finding_published">, memory: Memory, found: Outcome): Promise<void> {
  const { finding, note, note_sha256 } = data;
  const present = (await readIfThere(join(stateFolder, "memory", note))) ?? (await findMoved(finding.id, memory));
  if (present === undefined) return found.add("note_missing", `memory/${note}`, `The note of ${finding.id} is missing.`, [finding.id]);
  if (sha256(present) === note_sha256) return;
  const published = memory.noteFor(finding).text;
  if (sha256(published) !== note_sha256)
    return found.add(
      "note_edited",
      `memory/${note}`,
      `The note of ${finding.id} is not the published one; this hypo writes notes differently.`,
      [finding.id],
    );
  const parts = changedParts(published, present.toString("utf8"));
  const what = parts.length === 0 ? "its bytes" : parts.join(", ");
  const rests = parts.length === 0 || carriesClaims(parts);
  found.add("note_edited", `memory/${note}`, `Edited since published: ${what}.`, rests ? [finding.id] : []);
}

/** A note that was renamed is found by its id. */
async function findMoved(id: string, memory: Memory): Promise<Buffer | undefined> {
  const moved = await memory.read(id);
  return moved === undefined ? undefined : Buffer.from(moved.text);
}
