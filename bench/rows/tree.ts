import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeAgentDir } from "../../test/support/agent-dir.ts";
import { agentScript } from "../../test/support/scenario.ts";
import { startScriptedModel } from "../../test/support/scripted-model.ts";
import { leastCalls, treeScript } from "../fixtures/tree-script.ts";
import { HYPO } from "../harness/contender.ts";
import { contenderFile } from "../harness/contender-file.ts";
import { measureNode, type Sample } from "../harness/measure.ts";
import type { Bench, Row, Side } from "../harness/row.ts";

const QUESTION = "What do the notes say about merging?";
const NOTE = "Merging two sorted halves of together n elements takes at most n - 1 comparisons. ";

export const tree: Row = {
  name: "tree",
  title: "Tree: agents over a model that answers at once",
  caveat:
    "Every agent is asked, spawns or reads three files one after the other, and ends. Bare Pi keeps sessions with the same prompts, " +
    "tools as the model sees them, and files read; it has no journal, budget, limits, envelope around what is read, nor report, " +
    "so it asks for the few answers less that hypo's supervisor gives about its iteration and its report. The scripted server " +
    "runs beside both on the same machine and takes its share of the time. Both sides include the start, most of it Pi's own.",
  async measure(bench) {
    await bench.compareSizes(bench.quick ? [5, 20] : [50, 100, 200], "agents", async (agents) => ({
      hypo: treeSide(bench, "hypo", agents, runHypo),
      others: [treeSide(bench, "bare Pi sessions", agents, runBare)],
      measures: [
        { what: "whole run", unit: "ms", of: ({ wallMs }) => wallMs, grows: true, goal: { on: "ratio", atMost: 1.25 } },
        { what: "peak memory", unit: "MB", of: ({ peakMb }) => peakMb, grows: true, goal: { on: "ratio", atMost: 1.3 } },
        { what: "model calls", unit: "calls", of: ({ figures }) => figures["calls"] },
      ],
    }));
  },
};

interface World {
  project: string;
  agentDir: string;
  env: Record<string, string>;
  agents: number;
}

/** A side in a new project, with a scripted model of its own that counts what it is asked. */
function treeSide(bench: Bench, name: string, agents: number, run: (world: World) => Promise<Sample>): Side {
  return {
    name,
    run: async () => {
      const base = mkdtempSync(join(bench.folder, "tree-"));
      const [project, agentDir] = [join(base, "project"), join(base, "agent")];
      writeNotes(project);
      const model = await startScriptedModel(agentScript(treeScript(agents)));
      try {
        await writeAgentDir(agentDir, model.url);
        const env = { HOME: base, PI_CODING_AGENT_DIR: agentDir, PI_OFFLINE: "1" };
        const sample = await run({ project, agentDir, env, agents });
        const [problem] = model.scriptErrors;
        if (problem !== undefined) throw new Error(problem);
        const calls = model.requests.length;
        if (calls < leastCalls(agents)) throw new Error(`${name} asked the model ${calls} times: ${agents} agents never worked`);
        return { ...sample, figures: { calls } };
      } finally {
        await model.close();
      }
    },
  };
}

function runHypo({ project, env }: World): Promise<Sample> {
  const limits = { children: 100, active: 500, agents: 500, streaming: 64, iterations: 1 };
  // The person's own: a project may not raise limits.
  const folder = join(env["HOME"] ?? "", ".config/hypo");
  mkdirSync(folder, { recursive: true });
  // JSON is YAML.
  writeFileSync(join(folder, "config.yaml"), JSON.stringify({ subagent_model: "inherit", limits, budget: { usd: null } }));
  mkdirSync(join(project, ".hypo"));
  // Nothing was published, so the run ends without an answer.
  return measureNode([HYPO, "-C", project, "run", QUESTION], { env, codes: [3] });
}

function runBare({ project, agentDir, env }: World): Promise<Sample> {
  return measureNode([contenderFile("tree-bare"), project, agentDir, QUESTION], { env });
}

function writeNotes(project: string): void {
  mkdirSync(join(project, "shelf"), { recursive: true });
  for (let note = 0; note < 50; note += 1) writeFileSync(join(project, `shelf/note-${note}.txt`), `${note}. ${NOTE.repeat(10)}\n`);
}
