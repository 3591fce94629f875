import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeTemporaryMemory, noteFile } from "./temporary-memory.ts";

describe("the index that follows the files", () => {
  it.each([
    ["just written", 0],
    ["settled", 60_000],
  ])(
    "is the same after any sequence of edits as a rebuilt one, the files %s",
    async (_, aheadMs) => {
      const files = ["findings/a.md", "findings/b-f-1.md", "lessons/c.md", "questions/sub/d.md"];
      const text = fc.constantFrom("owls by night", "owls and bats", "ein Satz über die Eulen und die Nacht", "猫头鹰", "broken");
      const edit = fc.oneof(
        fc.record({ kind: fc.constant("put" as const), file: fc.constantFrom(...files), id: fc.constantFrom("f-1", "f-2"), text }),
        fc.record({ kind: fc.constant("remove" as const), file: fc.constantFrom(...files) }),
        fc.record({ kind: fc.constant("move" as const), file: fc.constantFrom(...files), to: fc.constantFrom(...files) }),
        fc.record({ kind: fc.constant("look" as const) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 12 }), async (edits) => {
          const own = await makeTemporaryMemory(aheadMs);
          const place = (file: string) => join(own.folder, "memory", file);
          for (const step of edits) {
            if (step.kind === "put") await own.put(step.file, step.text === "broken" ? "---\nid: [\n---\n" : noteFile(step.id, step.text));
            if (step.kind === "remove") await rm(place(step.file), { force: true });
            if (step.kind === "move") {
              await mkdir(join(place(step.to), ".."), { recursive: true });
              await rename(place(step.file), place(step.to)).catch(() => undefined);
            }
            if (step.kind === "look") await own.memory.list();
          }
          const look = async () => ({
            check: await own.memory.check(),
            list: await own.memory.list(),
            hits: await Promise.all(
              ["owl", "bats -owls", "Eule", "头鹰", '"by night"'].map((text) => own.memory.search({ text, limit: 9 })),
            ),
          });
          const followed = await look();
          await own.memory.rebuild();
          expect(await look()).toEqual(followed);
          await own.remove();
        }),
        { numRuns: 40 },
      );
    },
    600_000,
  );
});
