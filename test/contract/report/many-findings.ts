import { startFixtureSite } from "../../support/fixture-site.ts";
import { withProject, type Project } from "../../support/hypo.ts";
import { call, say, together } from "../../support/scenario.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model.ts";
import type { ScriptedAnswer } from "../../support/scripted/answer.ts";
import type { ChatRequest } from "../../support/scripted/chat-request.ts";

const QUOTE = "Merging two sorted halves of together n elements takes at most n − 1 comparisons.";

export interface ManyFindings {
  findings: number;
  /** Findings that one child publishes. */
  each: number;
  /** Words that make each statement longer. */
  padding?: string;
  /** What the supervisor hands in for a part; sound sections by default. */
  draftPart?: (part: number, ids: string[]) => Record<string, unknown>;
}

/** A run on a model of 32k tokens whose children publish many findings, up to its end. */
export async function runManyFindings<T>(
  options: ManyFindings,
  use: (seen: { project: Project; model: ScriptedModel; code: number | null; stderr: string }) => Promise<T>,
): Promise<T> {
  const site = await startFixtureSite();
  const model = await startScriptedModel((request) => decide(request, options, `${site.origin}/merge-sort.html`));
  try {
    return await withProject(async (project) => {
      await project.useModel(model.url, { contextWindow: 32_768 });
      await project.writeConfig({ gateway: { allow_hosts: [site.host] }, subagent_model: "inherit", limits: { children: 20 } });
      const { code, stderr } = await project.hypo(["run", "How many comparisons does merging take?"], { timeoutMs: 560_000 });
      return use({ project, model, code, stderr });
    });
  } finally {
    await model.close();
    await site.close();
  }
}

function decide(request: ChatRequest, options: ManyFindings, url: string): ScriptedAnswer {
  const last = request.messages.at(-1)?.text ?? "";
  const agent = /\.(root(?:\.\d+)*)$/.exec(request.session ?? "")?.[1];
  // A summary of the conversation is asked for without a session of an agent.
  if (agent === undefined) return say("What was said so far: findings were published, the report is being drafted.");
  return agent === "root" ? supervise(request, last, options) : publish(request, last, options, url, Number(agent.split(".")[1]) - 1);
}

function supervise(request: ChatRequest, last: string, { findings, each, draftPart = soundPart }: ManyFindings): ScriptedAnswer {
  const asked = request.messages.findLast(({ role }) => role === "user")?.text ?? "";
  const part = /This is part (\d+) of \d+/.exec(asked);
  const ids = [...asked.matchAll(/^- (f-[0-9a-f]{10}) /gm)].map(([, id]) => id ?? "");
  if (part) return call("write_report", { part: Number(part[1]), ...draftPart(Number(part[1]), ids) });
  if (/Write the report now/.test(asked)) return call("write_report", closing(ids));
  if (/Close it now/.test(asked)) return call("write_report", closing([...asked.matchAll(/f-[0-9a-f]{10}/g)].map(([id]) => id)));
  if (/Published: /.test(last)) return call("research_control", { action: "finish", reason: "Everything is published." });
  const lists = Array.from({ length: Math.ceil(findings / each) }, (_, n) =>
    call("spawn_agent", { name: `Lister ${n}`, goal: `Publish the statements of list ${n} about merging.`, may_spawn: false }),
  );
  return together(...lists);
}

function soundPart(part: number, ids: string[]): Record<string, unknown> {
  const claims = ids.map((id) => ({ text: `Merging behaves as ${id} says.`, supports: [id] }));
  return { sections: [{ title: `Part ${part}`, claims }], digest: `Merging is bounded (${ids[0] ?? ""}).` };
}

function closing(ids: string[]): Record<string, unknown> {
  return {
    answer: "At most one fewer than the elements merged.",
    answer_supports: ids.slice(0, 3),
    confidence: "moderate",
    would_change: "A counterexample.",
    limitations: [],
  };
}

function publish(request: ChatRequest, last: string, options: ManyFindings, url: string, child: number): ScriptedAnswer {
  const { findings, each, padding = "" } = options;
  if (request.assistantMessages === 0) return call("web_read", { url });
  if (request.assistantMessages > 1) return say("All are published.");
  const source = /Source ([0-9a-f]{12})/.exec(last)?.[1];
  const count = Math.min(each, findings - child * each);
  return together(
    ...Array.from({ length: count }, (_, n) =>
      call("publish_finding", {
        type: "fact",
        title: `Merging, statement ${child}.${n}`,
        statement: `Merging takes at most n - 1 comparisons, as seen for the ${n}th time by reader ${child}. ${padding}`.trim(),
        evidence: [{ source, quote: QUOTE }],
      }),
    ),
  );
}
