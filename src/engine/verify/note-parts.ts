/** Parts of a note that a claim citing its finding rests on; an edit of the others leaves the claims alone. */
const CARRYING = new Set([
  "id",
  "type",
  "status",
  "sources",
  "evidence",
  "experiments",
  "related",
  "negative_result",
  "Statement",
  "Evidence",
]);

/** Names of the parts in which two texts of a note differ: frontmatter keys, `title`, and headings. */
export function changedParts(published: string, present: string): string[] {
  const [before, after] = [splitParts(published), splitParts(present)];
  return [...new Set([...before.keys(), ...after.keys()])].filter((part) => before.get(part) !== after.get(part));
}

/** True where claims rest on one of the parts. */
export function carriesClaims(parts: string[]): boolean {
  return parts.some((part) => CARRYING.has(part));
}

function splitParts(note: string): Map<string, string> {
  const parts = new Map<string, string>();
  let part = "";
  let isFrontmatter = false;
  for (const [index, line] of note.split("\n").entries()) {
    if (line === "---" && (index === 0 || isFrontmatter)) {
      isFrontmatter = index === 0;
      part = isFrontmatter ? "frontmatter" : "preamble";
    } else if (isFrontmatter) part = /^([\w-]+):/.exec(line)?.[1] ?? part;
    else if (part === "preamble" && line.startsWith("# ")) part = "title";
    else part = /^## +(.*)$/.exec(line)?.[1] ?? (part === "title" && line !== "" ? "preamble" : part);
    parts.set(part, `${parts.get(part) ?? ""}${line}\n`);
  }
  return parts;
}
