import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/domain/events.ts";
import type { Retrieval, SourceRecord } from "../../../src/domain/source.ts";
import { makeRunRecord } from "../../../src/engine/run-record.ts";
import { sourceStored } from "../../../src/engine/source-stored.ts";
import { evolve } from "../../../src/engine/state/evolve.ts";
import { emptyLedger } from "../../../src/engine/state/ledger.ts";
import { emptyRunState } from "../../../src/engine/state/run-state.ts";
import { KNUTH, makeEvidence, makeFinding, makeSource } from "../report/run-records.ts";
import { factsOf, runStarted } from "./fact-lists.ts";

const URL = "https://books.example/taocp3";

/** The source as it stands once it has been retrieved at these moments, whose order is that of the metadata. */
function retrieved(...moments: string[]): SourceRecord {
  const source = makeSource(KNUTH, { title: "The Art of Computer Programming" }, URL);
  const at = (retrieved_at: string): Retrieval => ({ url: URL, final_url: URL, retrieved_at, status: 200, backend: "direct" });
  return { ...source, retrievals: moments.map(at) };
}

const finding = makeFinding("fnd-1", { evidence: [makeEvidence(KNUTH, "lg n!")] });
const cites: RunEvent = { type: "finding_published", data: { agent: "root.1", call: "c-1", finding, note: "n", note_sha256: "s" } };

/** The retrievals that a report tells of, where the branch read the source as `read` and the store now has `now`. */
async function toldOf(read: SourceRecord | undefined, now: SourceRecord): Promise<string[] | undefined> {
  const state = emptyRunState();
  const events = [runStarted(), ...(read === undefined ? [] : sourceStored("root.1", read)), cites];
  for (const fact of factsOf(events)) evolve(state, fact);
  const store = { find: (id: string) => Promise.resolve(id === KNUTH ? now : undefined) };
  const basis = { state, ledger: emptyLedger(), branch: "main" };
  const record = await makeRunRecord(basis, store, { reason: "goal_achieved", detail: "" });
  return record.sources[KNUTH]?.retrievals.map(({ retrieved_at }) => retrieved_at);
}

const [first, second, third] = ["2026-02-01T00:00:00.000Z", "2026-03-01T00:00:01.000Z", "2026-03-01T00:00:02.000Z"] as const;

describe("a run's record tells of a source", () => {
  test.each<[string, SourceRecord | undefined, SourceRecord, string[]]>([
    ["as the branch read it", retrieved(first, second), retrieved(first, second), [first, second]],
    ["without what was retrieved after that", retrieved(first, second), retrieved(first, second, third), [first, second]],
    ["without what was retrieved before the latest fact and stored after it", retrieved(third), retrieved(third, first), [third]],
    ["as it was first retrieved where the branch has not read it", undefined, retrieved(first, second), [first]],
    ["as it was first retrieved where its metadata was changed", retrieved(second), retrieved(first, third), [first]],
  ])("%s", async (_, read, now, told) => {
    expect(await toldOf(read, now)).toEqual(told);
  });
});
