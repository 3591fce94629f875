// Searches memory many times, as another process would: node search-memory.mjs <folder> <query> <times>
import { openMemory } from "../../../../dist/memory/index.js";

const [folder, text, times] = process.argv.slice(2);
const memory = openMemory({ folder, say: (line) => process.stderr.write(`${line}\n`) });
const counts = [];
for (let index = 0; index < Number(times); index++) counts.push((await memory.search({ text, limit: 1000 })).length);
await memory.close();
process.stdout.write(JSON.stringify(counts));
