import type { Conclusion } from "../../domain/conclusion.ts";
import { cleanLine, listItem, proseOrQuote } from "./markdown-safe.ts";
import { notePath } from "./note-path.ts";
import { emptyNote, type Note } from "./note.ts";
import { serialiseNote } from "./serialise-note.ts";

/** The note of what a run came to. The same conclusion gives the same bytes. Pure. */
export function noteForConclusion(conclusion: Conclusion): { path: string; text: string } {
  const folder = conclusion.kind === "synthesis" ? "syntheses" : "lessons";
  return { path: notePath(folder, conclusion.title, conclusion.id), text: serialiseNote(noteOf(conclusion)) };
}

function noteOf({ id, kind, status, title, statement, evidence, limitations, confidence, run, agent, created }: Conclusion): Note {
  return {
    ...emptyNote(),
    id,
    type: kind,
    status,
    title: cleanLine(title) || kind,
    created_by: agent,
    run_id: run,
    created,
    extra: confidence === undefined ? {} : { confidence },
    sections: [
      { heading: "Statement", body: proseOrQuote(statement) },
      { heading: "Evidence", body: evidence.map(listItem).join("\n") },
      { heading: "Counterevidence", body: "" },
      { heading: "Limitations", body: limitations.map(listItem).join("\n") },
    ],
  };
}
