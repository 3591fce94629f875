import { join } from "node:path";
import type { Io } from "../io.ts";
import { writeErr } from "../io.ts";

/** What verifying and exporting read with: the real adapters, without models, network or containers. */
export async function openEvidenceStores(state: string, io: Pick<Io, "stderr">) {
  const { openSourceStore } = await import("../../gateway/index.ts");
  const { createCriteria } = await import("../../sandbox/index.ts");
  const { openMemory } = await import("../../memory/index.ts");
  const { createReportWriter } = await import("../../report/index.ts");
  const sources = openSourceStore(join(state, "sources"), {
    onDamage: ({ path, problem }) => writeErr(io, `A source is damaged and left out: ${path}: ${problem}`),
  });
  const memory = openMemory({ folder: state, say: (line) => writeErr(io, line) });
  return {
    ports: { sources, memory, criteria: createCriteria(), report: createReportWriter() },
    async close() {
      await Promise.all([sources.close(), memory.close()]);
    },
  };
}
