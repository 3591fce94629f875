import { writeErr, type Io } from "../io.ts";

/** Says on stderr how many notes are left out because they are broken; nothing where none is. */
export function tellBroken(broken: number, io: Io): void {
  if (broken === 0) return;
  const notes = broken === 1 ? "1 note in memory is broken and left out" : `${broken} notes in memory are broken and left out`;
  writeErr(io, `${notes}; \`hypo memory check\` says which and why.`);
}
