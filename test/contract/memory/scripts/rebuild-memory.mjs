// Rebuilds the index again and again until it is killed: node rebuild-memory.mjs <folder>. Says when it has begun.
import { openMemory } from "../../../../dist/memory/index.js";

const [folder] = process.argv.slice(2);
const memory = openMemory({ folder, say: () => undefined });
let begun = false;
for (;;) {
  await memory.rebuild(() => {
    if (!begun) process.stdout.write("begun\n");
    begun = true;
  });
}
