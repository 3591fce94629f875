import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HYPO } from "../support/hypo.ts";

const RUNS = ["20260301-120000-sorting-ab12", "20260302-120000-merging-cd34"];
const SOURCES = ["a".repeat(64), `ab${"c".repeat(62)}`];

let base: string;
let env: Record<string, string>;

/** A project with files as runs leave them, and `hypo` on the path. */
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "hypo completion ")));
  const state = join(base, "project", ".hypo");
  for (const run of RUNS) mkdirSync(join(state, "runs", run, "agents", "other~2"), { recursive: true });
  const agents = join(state, "runs", RUNS[0] ?? "", "agents");
  for (const name of ["root.1.md", "root.1.2.md", "other~2/root.3.md"]) writeFileSync(join(agents, name), "");
  for (const id of SOURCES) mkdirSync(join(state, "sources", id.slice(0, 2), id), { recursive: true });
  // The last is what a project of somebody else may hold.
  for (const id of ["x-0000000001", "x-0000000002", "x-$(touch pwned)"]) mkdirSync(join(state, "experiments", id), { recursive: true });
  mkdirSync(join(state, "memory", "lessons"), { recursive: true });
  writeFileSync(join(state, "memory", "lessons", "look-first-l-0123456789.md"), "");
  writeFileSync(join(state, "memory", "lessons", "$(touch pwned)-l-0123.md"), "");
  writeFileSync(join(agents, "root.$(touch pwned).md"), "");
  mkdirSync(join(state, "runs", "20260301-120000-$(touch pwned)-ab12"));
  mkdirSync(join(state, "sources", "ab", "ab$(touch pwned)"), { recursive: true });
  writeFileSync(join(base, "project", "plan.yaml"), "");
  mkdirSync(join(base, "project", "plans"));
  mkdirSync(join(base, "bin"));
  symlinkSync(HYPO, join(base, "bin", "hypo"));
  chmodSync(HYPO, 0o755);
  env = { PATH: [join(base, "bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter), HOME: base };
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function shell(program: string, args: string[], script: string): string[] {
  const { stdout, stderr, status } = spawnSync(program, [...args, script], { cwd: join(base, "project"), env, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((line) => line !== "");
}

/** Which of the shells are on this machine; bash is everywhere. */
const has = (program: string): boolean => spawnSync(program, ["-c", "true"]).status === 0;

/** What bash would offer for each line: the sourced function is called as bash calls it. */
function inBash(lines: string[][]): string[][] {
  const asked = lines.map((words) => {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    return `COMP_WORDS=(hypo ${quoted}); COMP_CWORD=${words.length}; $complete hypo '${words.at(-1)}' x; echo "line \${COMPREPLY[*]}"`;
  });
  const said = shell(
    "bash",
    ["--norc", "-c"],
    `eval "$(hypo completion bash)"
complete=$(complete -p hypo | sed 's/.*-F \\([^ ]*\\).*/\\1/')
compopt() { COMPREPLY+=("compopt $2"); }
${asked.join("\n")}`,
  );
  return said.map((line) => line.split(" ").slice(1));
}

describe("completion in bash, really sourced", () => {
  it("offers commands, options, ids, settings and paths", () => {
    expect(
      inBash([
        ["doc"],
        ["show", ""],
        ["steer", "20260301", "root.1"],
        ["config", "set", "budget."],
        ["export", "last", "--out", ""],
        ["-C", ""],
      ]),
    ).toEqual([
      ["doctor"],
      ["last", ...RUNS.toReversed()],
      ["root.1", "root.1.2"],
      ["budget.usd", "budget.tokens", "budget.hours"],
      ["compopt", "default"],
      ["compopt", "dirnames"],
    ]);
  });
});

describe("hypo's answer to a shell", () => {
  const answer = (words: string[], cwd = join(base, "project")): string[] => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [HYPO, "__complete", "--", ...words], { cwd, env, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    return stdout
      .split("\n")
      .flatMap((line) => line.split("\t")[0] ?? [])
      .filter((value) => value !== "");
  };

  it("knows agents of every course, experiments, sources and notes", () => {
    expect(answer(["cancel", RUNS[0] ?? "", ""])).toEqual(["root", "root.1", "root.1.2", "root.3"]);
    expect(answer(["replay", ""])).toEqual(["x-0000000001", "x-0000000002"]);
    expect(answer(["sources", "show", "ab"])).toEqual([`ab${"c".repeat(10)}`]);
    expect(answer(["sources", "show", "a".repeat(20)])).toEqual(["a".repeat(64)]);
    expect(answer(["memory", "show", ""])).toEqual(["l-0123456789"]);
  });

  it("offers nothing that is no id, since bash puts it into the line as it is", () => {
    const asked = [
      ["replay", ""],
      ["show", ""],
      ["cancel", RUNS[0] ?? "", ""],
      ["sources", "show", ""],
      ["memory", "show", ""],
    ];
    for (const words of asked) expect(answer(words).join(" ")).toMatch(/^[\w. -]+$/);
  });

  it("looks into the folder that -C names, and offers nothing where there is no project", () => {
    expect(answer(["-C", join(base, "project"), "show", ""], "/")).toEqual(["last", ...RUNS.toReversed()]);
    expect(answer(["show", ""], base)).toEqual([]);
    expect(answer(["steer", "no-such-run", ""])).toEqual([]);
  });
});

describe("completion in other shells, where they are installed", () => {
  it.skipIf(!has("zsh"))("zsh takes the script and offers runs", () => {
    const offered = shell(
      "zsh",
      ["-f", "-c"],
      `autoload -Uz compinit; compinit -u -d "${base}/zcompdump"
eval "$(hypo completion zsh)"
_describe() { print -l -- "\${(@P)4}"; }
words=(hypo show 2026); CURRENT=3; _hypo
words=(hypo export last --out ''); CURRENT=5
_files() { print files; }; _hypo`,
    );
    expect(offered).toEqual([...RUNS.toReversed().map((run) => `${run}:run`), "files"]);
  });

  it.skipIf(!has("fish"))("fish takes the script and offers runs, settings and files", () => {
    const offered = shell(
      "fish",
      ["--no-config", "-c"],
      `hypo completion fish | source
complete -C 'hypo show '; complete -C 'hypo config get budget.u'; complete -C 'hypo experiments register pl'`,
    );
    expect(offered.map((line) => line.split("\t")[0])).toEqual(["last", ...RUNS.toReversed(), "budget.usd", "plan.yaml", "plans/"]);
  });
});
