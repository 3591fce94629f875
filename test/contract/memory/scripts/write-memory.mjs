// Writes notes until it is killed or done: node write-memory.mjs <folder> <prefix> <count>. Says when it has begun.
import { openMemory } from "../../../../dist/memory/index.js";

const [folder, prefix, count] = process.argv.slice(2);
const memory = openMemory({ folder, say: () => undefined });
for (let index = 0; index < Number(count); index++) {
  const id = `f-${prefix}${index}`;
  const text = `---\nid: ${id}\ntype: fact\nstatus: observed\n---\n\n# Note ${index}\n\n## Statement\n\n${"A cache of writes. ".repeat(200)}\n`;
  await memory.write({ path: `findings/note-${id}.md`, text });
  if (index === 0) process.stdout.write("begun\n");
}
await memory.close();
