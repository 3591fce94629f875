/** Indexes the documents of a workload by SQLite's FTS5 as it comes, asks its questions, and changes texts. Argument: folder. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { CHANGES, medianTimeOf } from "../fixtures/change-notes.ts";
import { askQuestions, DEPTH } from "../fixtures/ask-questions.ts";
import { readDocs, readQuestions } from "../fixtures/workload.ts";
import { timeOf } from "../harness/contender.ts";
import { handFigures } from "../harness/measure.ts";

const [folder = ""] = process.argv.slice(2);
const place = mkdtempSync(join(folder, "fts5-"));
const path = join(place, "raw.sqlite");
const database = new Database(path);
database.exec("CREATE VIRTUAL TABLE raw USING fts5(id UNINDEXED, title, text)");
const insert = database.prepare("INSERT INTO raw (id, title, text) VALUES (?, ?, ?)");
const buildMs = await timeOf(async () => {
  database.exec("BEGIN");
  for await (const { id, title, text } of readDocs(folder)) insert.run(id, title, text);
  database.exec("COMMIT");
});
const select = database.prepare<[string], string>(`SELECT id FROM raw WHERE raw MATCH ? ORDER BY rank LIMIT ${DEPTH}`).pluck();
const answers = await askQuestions(readQuestions(folder), (text) => {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? [] : select.all(words.map((word) => `"${word}"`).join(" OR "));
});
const indexMb = statSync(path).size / 2 ** 20;
// As hypo's index is written.
database.pragma("journal_mode = WAL");
database.pragma("synchronous = NORMAL");
const change = database.prepare("UPDATE raw SET text = text || ' Changed.' WHERE rowid = ?");
const changeMs = await medianTimeOf(CHANGES, (place) => void change.run(place + 1));
database.close();
handFigures({ ...answers, buildMs, changeMs, indexMb });
rmSync(place, { recursive: true });
