import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { RUN } from "../fixtures/facts.ts";
import { openRunAtWork } from "../fixtures/live-run.ts";
import { HYPO } from "../harness/contender.ts";
import { measureNode, measureNodeUnder, type Sample } from "../harness/measure.ts";
import type { Bench, Row, Side } from "../harness/row.ts";

const FACTS_PER_SECOND = 100;

export const view: Row = {
  name: "view",
  title: "View: watching a run of 200 agents at 100 facts a second",
  caveat:
    "`hypo resume` of a run at work follows its journal: in a pseudo-terminal of 160 x 50 it draws the view, with `--json` it prints " +
    "the facts. Both read, check and fold the same facts; the processor time is of the whole command, its start included. The run is written by the bench " +
    "itself, beside both.",
  async measure(bench) {
    if (!hasScript()) return bench.skip("the view", "there is no `script` of util-linux to give it a pseudo-terminal");
    const seconds = bench.quick ? 3 : 10;
    await bench.compare({
      hypo: watching(bench, "view", seconds, inTerminal),
      others: [watching(bench, "--json", seconds, asJson)],
      measures: [{ what: `processor time of ${seconds} s`, unit: "ms", of: ({ cpuMs }) => cpuMs }],
    });
  },
};

type Watch = (project: string, onOutput: () => void) => Promise<Sample>;

function watching(bench: Bench, name: string, seconds: number, watch: Watch): Side {
  return {
    name,
    run: async () => {
      const project = mkdtempSync(join(bench.folder, "view-"));
      const run = await openRunAtWork(project, { factsPerSecond: FACTS_PER_SECOND, seconds });
      let work: Promise<void> | undefined;
      // The first words come when it has begun to follow: until then the run keeps still.
      const sample = await watch(project, () => {
        work ??= run.work();
      });
      await work;
      return sample;
    },
  };
}

/** CI is left out of the environment, since nothing is drawn there. */
function inTerminal(project: string, onOutput: () => void): Promise<Sample> {
  const command = [process.execPath, HYPO, "-C", project, "resume", RUN].map((word) => `'${word}'`).join(" ");
  const env = { TERM: "xterm-256color", SHELL: "/bin/sh" };
  return measureNodeUnder("script", ["-qec", `stty columns 160 rows 50; exec env -u CI ${command}`, "/dev/null"], { env, onOutput });
}

function asJson(project: string, onOutput: () => void): Promise<Sample> {
  return measureNode([HYPO, "-C", project, "resume", RUN, "--json"], { onOutput });
}

function hasScript(): boolean {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).includes("util-linux");
  } catch {
    return false;
  }
}
