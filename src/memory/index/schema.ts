import type { IndexSchema } from "../../files/index-database.ts";

/** Tables of `index.sqlite`. Everything in it is derived from the files of memory/. */

/** Raised with every change of tables or of text analysis: an index of another version is built anew. */
const VERSION = 5;

/** Marks the file as ours in the SQLite header ("hypo"). */
const APPLICATION_ID = 0x6879706f;

/**
 * `analysed` holds our own tokens between spaces, so that FTS5 only splits at spaces: every other printable ASCII
 * character is named a token character. It finds candidates and keeps no text; what the second stage of search reads
 * are the tokens of a note in `vectors`, by the numbers that `terms` gives them. A term keeps its number when the last
 * note that holds it goes. The large hash saves merging while many notes are indexed at once.
 */
export const SCHEMA = `
  CREATE TABLE files (
    path TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    changed INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    fresh INTEGER NOT NULL,
    line INTEGER,
    problem TEXT
  ) WITHOUT ROWID;
  CREATE INDEX files_broken ON files (path) WHERE problem IS NOT NULL;
  CREATE TABLE notes (
    note INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    folder TEXT NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    run TEXT NOT NULL,
    agent TEXT NOT NULL,
    created TEXT NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    title_length INTEGER NOT NULL,
    body_length INTEGER NOT NULL,
    duplicate INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX notes_id ON notes (id);
  CREATE INDEX notes_created ON notes (created DESC, id);
  CREATE INDEX notes_duplicate ON notes (note) WHERE duplicate = 1;
  CREATE INDEX notes_language ON notes (language);
  CREATE TABLE vectors (note INTEGER PRIMARY KEY, tokens BLOB NOT NULL);
  CREATE TABLE sources (note INTEGER NOT NULL, source TEXT NOT NULL, PRIMARY KEY (note, source)) WITHOUT ROWID;
  CREATE TABLE relations (note INTEGER NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (note, kind, target)) WITHOUT ROWID;
  CREATE TABLE totals (only INTEGER PRIMARY KEY CHECK (only = 1), notes INTEGER, title_length INTEGER, body_length INTEGER, terms INTEGER,
    listing TEXT);
  INSERT INTO totals VALUES (1, 0, 0, 0, 0, NULL);
  CREATE TRIGGER note_added AFTER INSERT ON notes BEGIN
    UPDATE totals SET notes = notes + 1, title_length = title_length + new.title_length, body_length = body_length + new.body_length;
  END;
  CREATE TRIGGER note_removed AFTER DELETE ON notes BEGIN
    UPDATE totals SET notes = notes - 1, title_length = title_length - old.title_length, body_length = body_length - old.body_length;
    DELETE FROM sources WHERE note = old.note;
    DELETE FROM relations WHERE note = old.note;
    DELETE FROM vectors WHERE note = old.note;
    DELETE FROM analysed WHERE rowid = old.note;
  END;
  CREATE VIRTUAL TABLE analysed USING fts5(
    title, body, extra, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[\\]^_{|}~'"
  );
  CREATE TABLE terms (term TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE frequencies (page INTEGER PRIMARY KEY, counts BLOB NOT NULL);
  INSERT INTO analysed (analysed, rank) VALUES ('rank', 'bm25(2.0, 1.0, 1.0)');
  INSERT INTO analysed (analysed, rank) VALUES ('hashsize', 33554432);
`;

/** Empties the index inside a transaction; readers keep what they had until it commits. */
export const RESET = `
  DROP TABLE terms;
  DROP TABLE frequencies;
  DROP TABLE vectors;
  DROP TABLE analysed;
  DROP TABLE files;
  DROP TABLE notes;
  DROP TABLE sources;
  DROP TABLE relations;
  DROP TABLE totals;
  ${SCHEMA}
`;

export const INDEX: IndexSchema = { sql: SCHEMA, applicationId: APPLICATION_ID, version: VERSION };
