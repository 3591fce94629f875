import { expect, it } from "vitest";
import { storageError } from "../../../src/files/atomic.ts";

it.each([
  ["in a project", "/p/.hypo/runs/r/journal.jsonl", "EACCES", /another with `-C <dir>`/],
  ["elsewhere", "/home/me/.local/state/hypo/trust/a.json", "EACCES", /^Make the folder writable for you, or choose another place\.$/],
  ["in a project", "/p/.hypo", "EROFS", /`-C <dir>`/],
  ["elsewhere", "/media/cd/report.html", "EROFS", /^Choose a place that you may write to\.$/],
  ["in a project", "/p/.hypo/index.sqlite", "ENOSPC", /`hypo resume`/],
  ["elsewhere", "/out/results.jsonl", "ENOSPC", /^Free some space\.$/],
  ["elsewhere", "/out/results.jsonl", "EIO", /^Look at the folder and its file system\.$/],
])("a file %s that cannot be written says what helps there (%s, %s)", (_where, path, code, hint) => {
  const error = Object.assign(new Error("it failed"), { code });
  expect(storageError(path, error)).toMatchObject({ code: "storage_failed", hint: expect.stringMatching(hint) });
});
