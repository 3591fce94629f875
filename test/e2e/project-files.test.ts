import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../support/hypo.ts";
import { call, together } from "../support/scenario.ts";
import { answerAlone } from "./support/parts.ts";
import { askQuestion, withWorld, type Outcome } from "./support/world.ts";

const SECRET = "hush-7f3a";

/** Names under which an agent asks for a secret, by what lies behind them. */
const CLOSED: [what: string, path: string][] = [
  ["an .env file", ".env"],
  ["an .env file of a stage", "config/.env.production"],
  ["the repository's configuration", ".git/config"],
  ["a private key", "deploy.pem"],
  ["a file outside, by a link", "linked-notes.md"],
  ["a file outside, by a linked folder", "linked/outside.md"],
  ["a file outside, by going up", "../outside/outside.md"],
  ["the Pi directory, by a link", "pi/models.json"],
  ["an .env file, by an innocent link", "plain.txt"],
  ["the run's own journal folder", ".hypo/config.yaml"],
];

async function furnish({ folder, agentDir }: Project): Promise<void> {
  const outside = join(dirname(folder), "outside");
  for (const path of [outside, join(folder, ".git"), join(folder, "config")]) await mkdir(path, { recursive: true });
  const files = { ".env": "", "config/.env.production": "", ".git/config": "", "deploy.pem": "", "../outside/outside.md": "" };
  for (const name of Object.keys(files)) await writeFile(join(folder, name), `token = ${SECRET}\n`);
  await writeFile(join(folder, "notes.md"), "Everybody may read that sorting is fun.\n");
  await symlink(join(outside, "outside.md"), join(folder, "linked-notes.md"));
  await symlink(outside, join(folder, "linked"));
  await symlink(agentDir, join(folder, "pi"));
  await symlink(".env", join(folder, "plain.txt"));
}

describe("an agent that looks at the project's files", () => {
  let outcome: Outcome;

  beforeAll(async () => {
    await withWorld(
      (turn, site) => {
        if (turn.answers > 0) return answerAlone(turn, site);
        return together(
          ...CLOSED.map(([, path]) => call("read", { path })),
          call("read", { path: "/etc/passwd" }),
          call("read", { path: "notes.md" }),
          call("grep", { pattern: "token|scripted-key|sorting is fun" }),
          call("find", { glob: "**/*" }),
        );
      },
      async (world) => {
        await furnish(world.project);
        outcome = await askQuestion(world);
      },
      { agentDir: { apiKey: `scripted-key-${SECRET}` } },
    );
  });

  it.each(CLOSED.map(([what], place) => ({ what, place })))("cannot read $what", ({ place }) => {
    const [told] = outcome.heard("root").slice(place, place + 1);
    expect(told).toMatch(/^(path_refused|not_found): /);
  });

  it("cannot read an absolute path outside", () => {
    expect(outcome.heard("root")[CLOSED.length]).toMatch(/^path_refused: /);
  });

  it("reads what is open, and finds it by its words", () => {
    const [note, grep, find] = outcome.heard("root").slice(CLOSED.length + 1);
    expect(note).toContain("sorting is fun");
    expect(grep).toContain("notes.md");
    expect(find).toContain("notes.md");
  });

  it("is shown no secret by any of its tools", () => {
    expect(outcome.heard("root").join("\n")).not.toContain(SECRET);
    expect(outcome.code).toBe(0);
  });
});
