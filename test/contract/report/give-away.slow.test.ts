import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withProject } from "../../support/hypo.ts";

interface Stale {
  stale: { kind: string; id: string; why: string }[];
}

async function readJson(path: string): Promise<{ checks: Record<string, unknown> }> {
  return JSON.parse(await readFile(path, "utf8")) as { checks: Record<string, unknown> };
}

it("a finished run is exported in four forms, and shows what a note withdrawn by hand makes stale", { timeout: 120_000 }, async () => {
  await withProject(async (project) => {
    expect((await project.hypo(["demo"])).code).toBe(0);
    const hypo = (...args: string[]) => project.hypo(["-C", "hypo-demo", ...args]);
    const state = join(project.folder, "hypo-demo", ".hypo");
    const [id = ""] = await readdir(join(state, "runs"));
    const written = (name: string): Promise<string> => readFile(join(state, "runs", id, name), "utf8");

    // The journal gives the report again, byte for byte.
    expect((await hypo("export", "last")).stdout).toBe(await written("report.md"));
    expect((await hypo("export", "last", "--format", "json")).stdout).toBe(await written("report.json"));
    expect((await hypo("export", "last", "--format", "bibtex")).stdout.match(/^@misc\{/gm)).toHaveLength(3);
    const exported = await hypo("export", "last", "--format", "html", "--out", "report.html", "--json");
    expect(JSON.parse(exported.stdout)).toMatchObject({ run: id, format: "html", path: join(project.folder, "hypo-demo", "report.html") });
    expect(await readFile(join(project.folder, "hypo-demo", "report.html"), "utf8")).toMatch(
      /^<!doctype html>[\s\S]*<svg role="img"[\s\S]*<\/html>\n$/,
    );
    await hypo("fork", "last", "--from", "12", "--as", "side");
    const side = await hypo("export", "last", "--branch", "side");
    expect(side.stdout).toContain("the run has not written its report yet");
    expect(side.stdout).not.toBe(await written("report.md"));
    const unknown = await hypo("export", "last", "--branch", "nowhere");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/nowhere[\s\S]*main, side/)]);

    const checked = await hypo("verify", "last", "--check-refs");
    expect(checked.stdout.match(/has no DOI or arXiv id to ask about/g)).toHaveLength(3);
    expect(Object.keys((await readJson(join(state, "references.json"))).checks)).toHaveLength(3);
    expect(checked.code).toBe(0);

    const refused = await hypo("export", "last", "--format", "pdf");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("one of md, html, json, bibtex");

    expect((await hypo("show", "last")).stdout).not.toContain("Stale");
    const notes = join(state, "memory", "findings");
    const name = (await readdir(notes)).find((each) => each.startsWith("binary-insertion-needs")) ?? "";
    const note = await readFile(join(notes, name), "utf8");
    await writeFile(join(notes, name), note.replace(/^status: .*$/m, "status: rejected"));
    const finding = /f-[0-9a-f]{10}/.exec(name)?.[0] ?? "";
    const { stale } = JSON.parse((await hypo("memory", "stale", "--json")).stdout) as Stale;
    expect(stale[0]).toMatchObject({ kind: "finding", id: finding, why: `the note of ${finding} is marked rejected` });
    expect(stale.map(({ kind }) => kind)).toContain("sentence");
    expect((await hypo("show", "last")).stdout).toMatch(
      new RegExp(`Stale: 1 finding, \\d+ sentences? \\(${finding}\\); hypo memory stale says why`),
    );
    expect((await hypo("memory", "stale")).stdout).toContain(`finding ${finding}: `);

    const verified = await hypo("verify", "last");
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain(`1 divergence:`);
    expect(verified.stdout).toContain(
      `  note_edited memory/findings/${name}: Edited since published: status. Claims rest on it: ${finding}.`,
    );
  });
});
