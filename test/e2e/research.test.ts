import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { call, say, together, type Turn } from "../support/scenario.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import type { ScriptedAnswer } from "../support/scripted/answer.ts";
import {
  findingsIn,
  isAskedForReport,
  MERGE_QUOTE,
  publishFact,
  read,
  reportFindings,
  sourceRead,
  spawn,
  TIMSORT_QUOTE,
} from "./support/parts.ts";
import { askQuestion, withWorld, type Outcome } from "./support/world.ts";

const MISQUOTE = "Timsort sorts runs longer than a minimum length with binary insertion sort after it merges them.";

/** root: two background agents; the first goes two levels deeper, the second has two children at once. */
function script(turn: Turn, site: FixtureSite): ScriptedAnswer {
  switch (turn.agent.id) {
    case "root":
      return supervise(turn);
    case "root.1":
      if (turn.has("spawn_agent")) return say(`From below: ${findingsIn(turn.lastResult("spawn_agent") ?? "").join(", ")}`);
      return spawn("Practice", "Find out where binary insertion sort is used today.");
    case "root.1.1":
      if (turn.has("spawn_agent")) return say(`Timsort: ${findingsIn(turn.lastResult("spawn_agent") ?? "").join(", ")}`);
      return spawn("Timsort", "Find out what Timsort does with short runs.");
    case "root.1.1.1":
      return misquoteOnce(turn, site);
    case "root.2":
      if (turn.has("spawn_agent")) return say("Both readers are done.");
      return together(
        spawn("Bound", "Collect the number of comparisons that merging needs."),
        spawn("Skimmer", "Look at the measured comparison counts for 32 elements."),
      );
    case "root.2.1":
      if (!turn.has("web_read")) return { ...read(site, "merge-sort.html"), delayMs: 300 };
      if (!turn.has("publish_finding")) return publishFact(turn, "Merging two sorted halves takes at most n - 1 comparisons.", MERGE_QUOTE);
      return say(turn.lastResult("publish_finding") ?? "");
    default:
      return { ...say("The counts differ by less than one percent."), delayMs: 300 };
  }
}

function supervise(turn: Turn): ScriptedAnswer {
  if (isAskedForReport(turn)) return turn.has("write_report") ? say("Done.") : reportFindings(turn);
  if (turn.answers === 0) {
    return together(
      spawn("Insertion", "Find out what binary insertion sort is good for.", { background: true }),
      spawn("Merge", "Find out how many comparisons merge sort makes.", { background: true }),
    );
  }
  if (turn.answers === 1) return call("agent_control", { action: "wait" });
  return call("research_control", { action: "finish", reason: findingsIn(turn.lastResult("agent_control") ?? "").join(", ") });
}

function misquoteOnce(turn: Turn, site: FixtureSite): ScriptedAnswer {
  const tries = turn.results("publish_finding").length;
  if (!turn.has("web_read")) return read(site, "insertion-sort.html");
  if (tries < 2) return publishFact(turn, "Timsort uses binary insertion sort for short runs.", tries === 0 ? MISQUOTE : TIMSORT_QUOTE);
  return say(`Published ${findingsIn(turn.lastResult("publish_finding") ?? "").join(", ")} from ${sourceRead(turn)}.`);
}

describe("a question researched by a tree of agents", () => {
  let outcome: Outcome;
  let host: string;
  let texts: Map<string, string>;

  beforeAll(async () => {
    await withWorld(script, async (world) => {
      outcome = await askQuestion(world);
      host = world.site.host;
      texts = new Map();
      for (const { source } of outcome.all("finding_published").flatMap(({ finding }) => finding.evidence)) {
        texts.set(source, await readFile(join(world.project.folder, ".hypo/sources", source.slice(0, 2), source, "text.md"), "utf8"));
      }
    });
  });

  it("ends with exit code 0, the report on stdout and the way to its file on stderr", () => {
    expect(outcome).toMatchObject({ code: 0, signal: null });
    expect(outcome.stdout.trim()).toBe(outcome.report.trim());
    expect(outcome.stderr).toMatch(/^Report: \.hypo\/runs\/.*\/report\.md$/m);
    expect(outcome.all("run_finished")).toEqual([expect.objectContaining({ state: "completed", reason: "goal_achieved", answered: true })]);
  });

  it("goes three levels deep, each agent below the one that spawned it", () => {
    const tree = outcome.all("agent_spawned").map(({ agent, parent, mode, spec }) => [agent, parent, mode, spec.depth] as const);
    expect(tree.toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
      ["root", null, "foreground", 0],
      ["root.1", "root", "background", 1],
      ["root.1.1", "root.1", "foreground", 2],
      ["root.1.1.1", "root.1.1", "foreground", 3],
      ["root.2", "root", "background", 1],
      ["root.2.1", "root.2", "foreground", 2],
      ["root.2.2", "root.2", "foreground", 2],
    ]);
    expect(new Set(Object.values(outcome.endings))).toEqual(new Set(["completed"]));
  });

  it("lets children of one answer work beside each other", () => {
    const place = (type: string, agent: string): number =>
      outcome.facts.findIndex((fact) => fact.type === type && "agent" in fact.data && fact.data.agent === agent);
    for (const [one, other] of [
      ["root.1", "root.2"],
      ["root.2.1", "root.2.2"],
    ] as const) {
      expect(place("agent_started", other)).toBeLessThan(place("agent_finished", one));
      expect(place("agent_started", one)).toBeLessThan(place("agent_finished", other));
    }
  });

  it("hands each parent what its children found", () => {
    const deep = outcome.all("finding_published").find(({ agent }) => agent === "root.1.1.1");
    expect(outcome.results("root.1", "spawn_agent")[0]?.text).toContain(`Timsort: ${deep?.finding.id}`);
    const [collected] = outcome.results("root", "agent_control");
    expect(collected?.text).toContain(`Agent root.1 (Insertion) completed. Published: ${deep?.finding.id}.`);
    expect(collected?.text).toContain("Both readers are done.");
  });

  it("refuses a misquote with the nearest passage, and takes the corrected one", () => {
    const [refused, taken] = outcome.results("root.1.1.1", "publish_finding");
    expect(refused).toMatchObject({ ok: false, text: expect.stringContaining("does not stand in source") });
    expect(refused?.text).toContain("The nearest passage is:");
    expect(refused?.text).toContain("runs shorter than a minimum length");
    expect(taken).toMatchObject({ ok: true });
    expect(
      outcome
        .all("finding_published")
        .map(({ agent }) => agent)
        .toSorted(),
    ).toEqual(["root.1.1.1", "root.2.1"]);
  });

  it("records for every quote where it stands in the stored text", () => {
    const evidence = outcome.all("finding_published").flatMap(({ finding }) => finding.evidence);
    expect(evidence.map(({ quote }) => quote).toSorted()).toEqual([MERGE_QUOTE, TIMSORT_QUOTE]);
    for (const { source, quote, start, end } of evidence) {
      expect(
        Array.from(texts.get(source) ?? "")
          .slice(start, end)
          .join(""),
      ).toBe(quote);
    }
  });

  it("says of every source that it was let through by an entry of allow_hosts", () => {
    expect(outcome.all("source_stored").map(({ allowed_host, status, final_url: url }) => ({ allowed_host, status, url }))).toEqual(
      expect.arrayContaining([
        { allowed_host: host, status: 200, url: `http://${host}/insertion-sort.html` },
        { allowed_host: host, status: 200, url: `http://${host}/merge-sort.html` },
      ]),
    );
  });

  it("keeps its answer and what its work taught as notes for later runs", () => {
    const later = outcome.notes
      .filter(({ path }) => /^(?:syntheses|lessons)\//.test(path))
      .toSorted((a, b) => a.path.localeCompare(b.path));
    expect(later.map(({ path }) => path.split("/")[0])).toEqual(["lessons", "syntheses"]);
    const [lesson, synthesis] = later;
    expect(synthesis?.text).toContain("type: synthesis");
    expect(synthesis?.text).toContain(outcome.all("finding_published")[0]?.finding.id);
    expect(lesson?.text).toMatch(/\d+ of \d+ agents brought findings; \d+ places could not be used\./);
    expect(lesson?.text).toMatch(/- Brought \d+: Timsort: Find out what Timsort does with short runs\./);
  });

  it("keeps each finding as a note and cites it in the report with its source and quote", () => {
    const findings = outcome.all("finding_published");
    const published = outcome.notes.filter(({ path }) => !/^(?:syntheses|lessons)\//.test(path));
    expect(published.map(({ path }) => path).toSorted()).toEqual(findings.map(({ note }) => note).toSorted());
    for (const { finding } of findings) {
      expect(published.find(({ text }) => text.includes(finding.id))?.text).toContain(finding.statement);
      expect(outcome.report).toContain(finding.id);
    }
    expect(outcome.report).toContain(`http://${host}/insertion-sort.html`);
    expect(outcome.report).toContain(`“${TIMSORT_QUOTE}”`);
    expect(outcome.report).toMatch(/Merging is linear in comparisons\. \[\\\[1\\\]\]\(#ref-1\) \[\\\[2\\\]\]\(#ref-2\)/);
    expect(outcome.all("report_written")).toEqual([expect.objectContaining({ by: "supervisor", answered: true, refused: 0 })]);
  });
});

describe("the website of these tests", () => {
  it("cannot be read where allow_hosts does not name it", async () => {
    const outcome = await withWorld(
      (turn, site) => {
        if (isAskedForReport(turn)) return say("Nothing to report.");
        return turn.has("web_read")
          ? call("research_control", { action: "close_iteration", reason: "closed", external_only: true })
          : read(site, "index.html");
      },
      async (world) => {
        await world.project.writeConfig({ subagent_model: "inherit" });
        const ended = await askQuestion(world);
        expect(world.site.requests).toEqual([]);
        return ended;
      },
    );
    expect(outcome.results("root", "web_read")).toEqual([
      expect.objectContaining({ ok: false, text: expect.stringMatching(/^blocked_address: /) }),
    ]);
    expect(outcome.code).toBe(3);
    expect(outcome.all("run_finished")).toEqual([expect.objectContaining({ reason: "only_external_questions", answered: false })]);
  });
});
