import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RUN } from "../fixtures/facts.ts";
import { writeLongRun } from "../fixtures/write-run.ts";
import { HYPO } from "../harness/contender.ts";
import { contender } from "../harness/contender-file.ts";
import { measureNode } from "../harness/measure.ts";
import type { Bench, Measure, Row, Side } from "../harness/row.ts";

const WRITERS = 16;

export const journal: Row = {
  name: "journal",
  title: "Journal: append, open and project, show",
  caveat:
    "Appending: 16 writers wait for each fact of their own. The bare loops write the same events, without number, ancestry, check " +
    "of the schema, check sum or fold: one syncs after each line, as a program without group commit would, the other after 16, " +
    "the most that 16 waiting writers allow. Opening: hypo checks every sum and ancestry and folds the state, JSON.parse keeps " +
    "nothing. Facts are 520 bytes on average; facts with long page texts cost both sides more. `hypo show` is the whole command, " +
    "at first without a snapshot, then from the one that it left.",
  async measure(bench) {
    await compareAppending(bench);
    await compareOpening(bench);
  },
};

async function compareAppending(bench: Bench): Promise<void> {
  const facts = bench.quick ? 500 : 4000;
  const perSecond: Measure = { what: `facts appended, ${WRITERS} writers`, unit: "per s", of: ({ figures }) => figures["perSecond"] };
  const hypo = withFolder(bench, "hypo", (folder) => contender("hypo", "journal-append", [folder, String(facts), String(WRITERS)]));
  const bare = (name: string, linesASync: number): Side =>
    withFolder(bench, name, (folder) => contender(name, "journal-bare-append", [join(folder, "bare"), String(facts), String(linesASync)]));
  await bench.compare({ hypo, others: [bare("write + fdatasync a line", 1)], measures: [perSecond] });
  await bench.compare({
    hypo,
    others: [bare(`write + fdatasync ${WRITERS} lines`, WRITERS)],
    measures: [{ ...perSecond, goal: { on: "ratio", atLeast: 0.7 } }],
  });
}

async function compareOpening(bench: Bench): Promise<void> {
  const sizes = bench.quick ? [1000, 10_000] : [10_000, 100_000, 1_000_000];
  const largest = sizes.at(-1) ?? 0;
  await bench.compareSizes(sizes, "facts", async (size) => {
    const { runFolder, journal } = writeLongRun(join(bench.folder, String(size)), size);
    const workMs: Measure = { what: "open and project", unit: "ms", of: ({ figures }) => figures["workMs"], grows: true };
    const peak: Measure = { what: "peak memory of it", unit: "MB", of: ({ peakMb }) => peakMb };
    return {
      hypo: contender("hypo", "journal-open", [runFolder]),
      others: [contender("JSON.parse", "journal-parse", [journal])],
      measures:
        size === largest
          ? [
              { ...workMs, goal: { on: "value", atMost: 5000 } },
              { ...peak, goal: { on: "value", atMost: 400 } },
            ]
          : [workMs],
    };
  });
  await lookAt(bench, join(bench.folder, String(largest)), largest);
}

/** The command as people call it. */
async function lookAt(bench: Bench, project: string, facts: number): Promise<void> {
  const show = (name: string, before: () => void): Side => ({
    name,
    run: () => {
      before();
      return measureNode([HYPO, "-C", project, "show", RUN]);
    },
  });
  const snapshot = join(project, ".hypo/runs", RUN, "snapshot.json");
  const what = `hypo show of ${facts.toLocaleString("en-GB")} facts`;
  const first = show("hypo, first look", () => rmSync(snapshot, { force: true }));
  const later = show("hypo, later look", () => undefined);
  const of: Measure["of"] = ({ wallMs }) => wallMs;
  await bench.compare({ hypo: first, others: [], measures: [{ what: `${what}, first look`, unit: "ms", of }] });
  await bench.compare({
    hypo: later,
    others: [],
    measures: [{ what: `${what}, later look`, unit: "ms", of, goal: { on: "value", atMost: 1000 } }],
  });
}

/** A side with a new folder for each run. */
function withFolder(bench: Bench, name: string, sideIn: (folder: string) => Side): Side {
  return {
    name,
    run: async () => {
      mkdirSync(bench.folder, { recursive: true });
      const folder = mkdtempSync(join(bench.folder, "run-"));
      const sample = await sideIn(folder).run();
      rmSync(folder, { recursive: true });
      return sample;
    },
  };
}
