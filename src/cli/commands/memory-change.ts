import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { HypoError } from "../../domain/errors.ts";
import { RelationKind } from "../../domain/finding.ts";
import { writeJson, writeOut, type Io } from "../io.ts";
import { plainLine } from "../output/plain-text.ts";
import { withProject } from "../project/fresh-project.ts";
import { chooseProject } from "../project/project.ts";
import type { Stores } from "../stores.ts";
import type { MemoryAddOptions, MemoryLinkOptions, MemoryRetireOptions } from "./store-options.ts";
import { withMemory } from "./with-memory.ts";

/** Adds a person's own note. Its text is the option's, or what is piped in. */
export async function memoryAddCommand(options: MemoryAddOptions, io: Io, stores: Stores): Promise<number> {
  const statement = options.text ?? (io.isTty.stdin ? "" : await text(io.openStdin()));
  const note = { type: options.type, title: options.title, statement };
  const added = await withProject(await chooseProject(io.cwd), () =>
    withMemory(io, stores, (memory) => memory.add(note, randomBytes(5).toString("hex"))),
  );
  if (options.json) writeJson(io, { ...added });
  else writeOut(io, `${added.id}  memory/${plainLine(added.path)}`);
  return 0;
}

/** Relates one note to another. */
export async function memoryLinkCommand({ from, kind, to, json }: MemoryLinkOptions, io: Io, stores: Stores): Promise<number> {
  const relation = RelationKind.safeParse(kind);
  if (!relation.success) {
    throw new HypoError("usage", `${JSON.stringify(kind)} is no relation.`, { hint: `Use ${RelationKind.options.join(", ")}.` });
  }
  const changed = await withMemory(io, stores, (memory) => memory.link(from, relation.data, to));
  if (json) writeJson(io, { from, kind: relation.data, to, changed });
  else writeOut(io, plainLine(changed ? `${from} now ${relation.data} ${to}.` : `${from} ${relation.data} ${to} already.`));
  return 0;
}

/** Marks a note as outdated and names the one that takes its place. */
export async function memoryRetireCommand({ note, successor, json }: MemoryRetireOptions, io: Io, stores: Stores): Promise<number> {
  const changed = await withMemory(io, stores, (memory) => memory.retire(note, successor));
  if (json) writeJson(io, { note, successor, changed });
  else writeOut(io, plainLine(changed ? `${note} is outdated now; see ${successor}.` : `${note} is outdated already, by ${successor}.`));
  return 0;
}
