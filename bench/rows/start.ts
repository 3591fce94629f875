import { fileURLToPath } from "node:url";
import { writeLongRun } from "../fixtures/write-run.ts";
import { makeRandom, questionText, writeNotes } from "../fixtures/notes.ts";
import { HYPO } from "../harness/contender.ts";
import { measureNode } from "../harness/measure.ts";
import type { Bench, Row, Side } from "../harness/row.ts";

/** A start takes a moment, in which much can come between. */
const REPETITIONS = 21;
const NODE = "node -e 0";

export const start: Row = {
  name: "start",
  title: "Start: what a command takes before and while it answers",
  caveat:
    "`node -e 0` is the least that any program on Node.js takes; `pi --version` loads all of Pi, since its binary is one bundle, and " +
    "is what hypo's users start otherwise. `hypo runs` lists one run of 2,000 facts, `hypo memory search` looks through " +
    "10,000 notes that are indexed already, and first makes sure that no file of them has changed.",
  async measure(bench) {
    const node = nodeSide(NODE, ["-e", "0"]);
    const pi = nodeSide("pi --version", [piFile(), "--version"], { PI_OFFLINE: "1" });
    for (const flag of ["--version", "--help"]) await compareStart(bench, [flag], 1.6, [node, pi]);
    writeLongRun(bench.folder, 2000);
    await compareStart(bench, ["-C", bench.folder, "runs"], 3, [node, pi]);
    writeNotes(bench.folder, bench.quick ? 500 : 10_000);
    const question = questionText(makeRandom(11), 3);
    await compareStart(bench, ["-C", bench.folder, "memory", "search", question], 3, [node, pi]);
  },
};

async function compareStart(bench: Bench, args: string[], most: number, others: Side[]): Promise<void> {
  const command = args[0] === "-C" ? args.slice(2, args.length === 3 ? 3 : 4) : args;
  const what = ["hypo", ...command].join(" ");
  await bench.compare({
    hypo: nodeSide(what, [HYPO, ...args]),
    others,
    measures: [{ what, unit: "ms", of: ({ wallMs }) => wallMs, goal: { on: "ratio", against: NODE, atMost: most } }],
    repetitions: REPETITIONS,
  });
}

function nodeSide(name: string, args: string[], env: Record<string, string> = {}): Side {
  return { name, run: () => measureNode(args, { env }) };
}

/** Pi's binary, beside the SDK that hypo uses. */
function piFile(): string {
  return fileURLToPath(new URL("bundle/cli.js", import.meta.resolve("@earendil-works/pi-coding-agent")));
}
