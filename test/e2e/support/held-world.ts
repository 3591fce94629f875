import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";
import type { Fact } from "../../../src/domain/events.ts";
import { startFixtureSite, type FixtureSite } from "../../support/fixture-site.ts";
import { withProject, type Project } from "../../support/hypo.ts";
import type { ProgramResult } from "../../support/program.ts";
import { agentScript, call, say, type Turn } from "../../support/scenario.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model.ts";
import type { ScriptedAnswer } from "../../support/scripted/answer.ts";

// A test starts several processes of some seconds each, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** A project whose model answers some questions only when the test lets it. */
export interface HeldWorld {
  project: Project;
  model: ScriptedModel;
  site: FixtureSite;
  /** Answers whose name is here are held back until they are released. */
  hold: Hold;
  /** Runs the binary and fails where it does not end with the code. */
  hypo: (args: string[], code?: number) => Promise<ProgramResult>;
  facts: () => Promise<Fact[]>;
  /** Waits for a fact that fits. */
  fact: (fits: (fact: Fact) => boolean) => Promise<Fact>;
}

/** Lets a script wait for its test. */
class Hold {
  private readonly released = new Set<string>();
  readonly reached = new Set<string>();

  release(...names: string[]): void {
    for (const name of names) this.released.add(name);
  }

  /** Resolves when the name has been released, now or later. */
  async at(name: string): Promise<void> {
    this.reached.add(name);
    await until(() => this.released.has(name));
  }

  /** Resolves when the script has come to the name. */
  untilReached(name: string): Promise<void> {
    return until(() => this.reached.has(name));
  }
}

export type HeldScript = (turn: Turn, world: { site: FixtureSite; hold: Hold }) => ScriptedAnswer | Promise<ScriptedAnswer>;

export async function withHeldWorld<T>(script: HeldScript, use: (world: HeldWorld) => Promise<T>): Promise<T> {
  const hold = new Hold();
  const site = await startFixtureSite();
  const model = await startScriptedModel(agentScript((turn) => script(turn, { site, hold })));
  try {
    return await withProject(async (project) => {
      Object.assign(project.env, { NODE_COMPILE_CACHE: join(tmpdir(), "hypo-test-compile-cache") });
      await project.useModel(model.url);
      await project.writeConfig({ subagent_model: "inherit", gateway: { allow_hosts: [site.host] } });
      const facts = async (): Promise<Fact[]> => ((await project.runIds()).length === 0 ? [] : (await project.run()).facts());
      return use({
        project,
        model,
        site,
        hold,
        facts,
        hypo: async (args, code = 0) => {
          const ended = await project.hypo(args, { timeoutMs: 120_000 });
          if (ended.code !== code) throw new Error(`hypo ${args.join(" ")} ended with ${ended.code}\n${ended.stdout}\n${ended.stderr}`);
          return ended;
        },
        fact: async (fits) => {
          let found: Fact | undefined;
          await until(async () => (found = (await facts().catch(() => [])).find(fits)) !== undefined);
          if (!found) throw new Error("unreachable");
          return found;
        },
      });
    });
  } finally {
    await Promise.all([model.close(), site.close()]);
  }
}

/** The shortest way of a supervisor to an answered run: one page, one finding, finish, report. */
export function answerAlone(turn: Turn, site: FixtureSite): ScriptedAnswer {
  if (turn.lastUser.includes("Write the report now")) return turn.has("write_report") ? say("That is all.") : report(turn);
  if (!turn.has("web_read")) return call("web_read", { url: `${site.origin}/merge-sort.html` });
  if (!turn.has("publish_finding")) return publish(turn);
  return call("research_control", { action: "finish", reason: `Answered by ${idIn(turn.lastResult("publish_finding"))}.` });
}

function publish(turn: Turn): ScriptedAnswer {
  const source = /Source ([0-9a-f]{12})\./.exec(turn.lastResult("web_read") ?? "")?.[1] ?? "";
  const quote = "Merging two sorted halves of together n elements takes at most n − 1 comparisons.";
  const statement = "Merging two sorted halves takes at most n - 1 comparisons.";
  return call("publish_finding", { type: "fact", title: "Merging", statement, evidence: [{ source, quote }] });
}

function report(turn: Turn): ScriptedAnswer {
  const supports = [idIn(turn.lastResult("publish_finding"))];
  return call("write_report", {
    answer: "Merging takes at most n - 1 comparisons.",
    answer_supports: supports,
    confidence: "low",
    would_change: "A source that counts differently.",
    sections: [{ title: "Merging", claims: [{ text: "Merging is linear.", supports }] }],
    limitations: ["One website."],
  });
}

function idIn(text: string | undefined): string {
  return /\bf-[0-9a-f]{10}\b/.exec(text ?? "")?.[0] ?? "";
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(25);
}
