import { describe, expect, it } from "vitest";
import { runManyFindings } from "./many-findings.ts";

const PADDING = "It was counted by hand on paper and by machine, ".repeat(5);

describe("the report of a run with more findings than one prompt holds", () => {
  it("is drafted in parts on a 32k-token model, and verifies from the bytes", { timeout: 120_000 }, async () => {
    await runManyFindings({ findings: 26, each: 13, padding: PADDING }, async ({ project, model, code, stderr }) => {
      expect(model.scriptErrors).toEqual([]);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      const run = await project.run();
      const parts = await run.factsOf("report_part_drafted");
      expect(parts.length).toBeGreaterThan(1);
      const [written] = await run.factsOf("report_written");
      expect(written?.data).toMatchObject({ by: "supervisor", answered: true, refused: 0 });
      const report = (await run.reportJson()) as { sections: { claims: { supports: string[] }[] }[] };
      const claimed = report.sections.flatMap(({ claims }) => claims.flatMap(({ supports }) => supports));
      const published = (await run.factsOf("finding_published")).map(({ data }) => data.finding.id);
      expect(claimed.toSorted()).toEqual(published.toSorted());
      const verified = await project.hypo(["verify", "last", "--json"]);
      expect(JSON.parse(verified.stdout)).toMatchObject({ divergences: [], checked: { claims: 27 } });
      expect(verified.code).toBe(0);
    });
  });

  it("is written by code, and says why, where a part is refused three times", { timeout: 120_000 }, async () => {
    const draftPart = (part: number, ids: string[]) => ({
      sections: [{ title: `Part ${part}`, claims: [{ text: "Something.", supports: [part === 2 ? "f-0000000000" : (ids[0] ?? "")] }] }],
      digest: "Something.",
    });
    await runManyFindings({ findings: 26, each: 13, padding: PADDING, draftPart }, async ({ project, model, code }) => {
      const run = await project.run();
      expect(await run.factsOf("report_part_drafted")).toHaveLength(1);
      const drafts = (await run.factsOf("tool_finished")).filter(({ data }) => data.tool === "write_report");
      expect(drafts.map(({ data }) => [data.ok, data.ends_turn ?? false])).toEqual([
        [true, true],
        [false, false],
        [false, false],
        [false, true],
      ]);
      const [written] = await run.factsOf("report_written");
      expect(written?.data).toMatchObject({ by: "code", refused: 3, why_code: "3 drafts of the supervisor were refused", answered: false });
      expect(await run.report()).toContain(
        "This report was written by code from the run's record alone: 3 drafts of the supervisor were refused",
      );
      expect(code).toBe(3);
      expect(model.repeatedQuestions()).toEqual([]);
      expect((await project.hypo(["verify", "last"])).code).toBe(0);
    });
  });
});
