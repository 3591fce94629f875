import { join } from "node:path";
import type { EventData } from "../../domain/events.ts";
import { sha256 } from "../../domain/hash.ts";
import type { Memory } from "../../domain/ports.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";
import { carriesClaims, changedParts } from "./note-parts.ts";
import type { Outcome } from "./outcome.ts";
import { readStored, type FoundFile } from "./read-files.ts";

/** Notes against what was published. A hand edit is welcome and is shown, with the finding where claims rest on it. */
export async function checkNotes(stateFolder: string, facts: EvidenceFacts, memory: Memory, found: Outcome): Promise<void> {
  for (const { data } of facts.of("finding_published")) {
    found.checked.notes += 1;
    await checkNote(stateFolder, data, memory, found);
  }
  for (const data of lastKept(facts)) {
    found.checked.notes += 1;
    await checkConclusion(stateFolder, data, memory, found);
  }
}

/** A run that was reopened keeps its conclusions anew, in the same notes. */
function lastKept(facts: EvidenceFacts): Iterable<EventData<"conclusion_kept">> {
  return new Map(facts.of("conclusion_kept").map(({ data }) => [data.id, data])).values();
}

/** What code kept of the whole run; no claim rests on it. */
async function checkConclusion(stateFolder: string, data: EventData<"conclusion_kept">, memory: Memory, found: Outcome): Promise<void> {
  const { id, note, note_sha256 } = data;
  const { bytes: present, problem } = await readNote(stateFolder, note, id, memory);
  if (present === undefined) found.add("note_missing", `memory/${note}`, problem, []);
  else if (sha256(present) !== note_sha256) found.add("note_edited", `memory/${note}`, "Edited since it was kept.", []);
}

async function checkNote(stateFolder: string, data: EventData<"finding_published">, memory: Memory, found: Outcome): Promise<void> {
  const { finding, note, note_sha256 } = data;
  const { bytes: present, problem } = await readNote(stateFolder, note, finding.id, memory);
  if (present === undefined) return found.add("note_missing", `memory/${note}`, problem, [finding.id]);
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
async function readNote(stateFolder: string, note: string, id: string, memory: Memory): Promise<FoundFile> {
  const found = await readStored(join(stateFolder, "memory", note));
  if (found.bytes !== undefined) return found;
  if (!found.isMissing) return { ...found, problem: `The note of ${id}: ${found.problem}` };
  const moved = await memory.read(id);
  return moved === undefined ? { ...found, problem: `The note of ${id} is missing.` } : { bytes: Buffer.from(moved.text) };
}
