import { expect, it } from "vitest";
import { runManyFindings } from "../contract/report/many-findings.ts";

it("reports 500 findings with a 32k-token model, each claimed, no request above its context", { timeout: 600_000 }, async () => {
  const padding = "It was counted by hand on paper and by machine, ".repeat(4);
  await runManyFindings({ findings: 500, each: 100, padding }, async ({ project, model, code, stderr }) => {
    expect(model.scriptErrors).toEqual([]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const run = await project.run();
    expect((await run.factsOf("report_part_drafted")).length).toBeGreaterThan(20);
    const report = (await run.reportJson()) as { sections: { claims: { supports: string[] }[] }[] };
    const claimed = new Set(report.sections.flatMap(({ claims }) => claims.flatMap(({ supports }) => supports)));
    expect(claimed.size).toBe(500);
    // Four bytes a token, the answer's room included.
    const largest = Math.max(...model.requests.map(({ request }) => request.bytes / 4 + (request.maxTokens ?? 0)));
    expect(largest).toBeLessThan(32_768);
    expect((await project.hypo(["verify", "last"])).code).toBe(0);
  });
});
