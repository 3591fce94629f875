import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StreamingSlots } from "../../../src/engine/streaming-slots.ts";

interface Waiter {
  id: number;
  abort: AbortController;
  giveBack: (() => void) | undefined;
  rejected: boolean;
}

const commands = fc.array(fc.tuple(fc.constantFrom("take", "take", "give", "give twice", "abort", "aborted before"), fc.nat()), {
  maxLength: 80,
});

describe("streaming slots", () => {
  test("never give out more than there are, serve those who wait in their order, and lose none to an abort", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), commands, async (count, list) => {
        const slots = new StreamingSlots(count);
        const all: Waiter[] = [];
        const holding: number[] = [];
        const waiting: number[] = [];
        const served: number[] = [];
        const expected: number[] = [];
        const serveNext = (): void => {
          while (holding.length < count && waiting.length > 0) {
            const next = waiting.shift() ?? -1;
            holding.push(next);
            expected.push(next);
          }
        };
        for (const [command, pick] of list) {
          if (command === "take" || command === "aborted before") {
            const waiter: Waiter = { id: all.length, abort: new AbortController(), giveBack: undefined, rejected: false };
            all.push(waiter);
            if (command === "aborted before") waiter.abort.abort();
            else waiting.push(waiter.id);
            void slots.take(waiter.abort.signal).then(
              (giveBack) => {
                served.push(waiter.id);
                waiter.giveBack = giveBack;
              },
              () => (waiter.rejected = true),
            );
          } else if (command === "abort") {
            // Also of those who hold a slot already, which changes nothing.
            const waiter = all[pick % Math.max(1, all.length)];
            waiter?.abort.abort();
            const place = waiter === undefined ? -1 : waiting.indexOf(waiter.id);
            if (place >= 0) waiting.splice(place, 1);
          } else {
            const [id] = holding.splice(pick % Math.max(1, holding.length), 1);
            if (id === undefined) continue;
            all[id]?.giveBack?.();
            if (command === "give twice") all[id]?.giveBack?.();
          }
          serveNext();
          await new Promise(setImmediate);
          expect(served).toEqual(expected);
          expect(all.filter((each) => !each.rejected && each.giveBack === undefined).map((each) => each.id)).toEqual(waiting);
        }
      }),
      { numRuns: 100 },
    );
  });
});
