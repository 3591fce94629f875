import type { IndexSchema } from "../../files/index-database.ts";

/** Tables of `index.sqlite`. Everything in it is derived from the files of memory/. */

/** Raised with every change of tables or of text analysis: an index of another version is built anew. */
const VERSION = 9;

/** Marks the file as ours in the SQLite header ("hypo"). */
const APPLICATION_ID = 0x6879706f;

/**
 * Tokens are known by the numbers that `terms` gives them; one keeps its number when the last note that holds it goes.
 * `postings` tell which notes hold a token, `vectors` which tokens a note holds: searches score notes by the former, and look
 * closely at the best of them, and for phrases, by the latter. To write a row of `postings` for each token of a changed note
 * takes far longer than everything else: a few notes wait in `waiting`, and those that went in `gone` with their tokens, until
 * they are merged into `postings`, `frequencies` and `lengths` together. The number of a note is never given again.
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
    note INTEGER PRIMARY KEY AUTOINCREMENT,
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
  CREATE TRIGGER note_removed AFTER DELETE ON notes BEGIN
    UPDATE totals SET notes = notes - 1, title_length = title_length - old.title_length, body_length = body_length - old.body_length;
    DELETE FROM sources WHERE note = old.note;
    DELETE FROM relations WHERE note = old.note;
    DELETE FROM vectors WHERE note = old.note;
  END;
  CREATE TABLE terms (term TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE postings (key INTEGER PRIMARY KEY, last INTEGER NOT NULL, entries BLOB NOT NULL);
  CREATE TABLE waiting (note INTEGER PRIMARY KEY);
  CREATE TABLE gone (note INTEGER PRIMARY KEY, tokens BLOB NOT NULL);
  CREATE TABLE frequencies (page INTEGER PRIMARY KEY, counts BLOB NOT NULL);
  CREATE TABLE lengths (page INTEGER PRIMARY KEY, counts BLOB NOT NULL);
`;

/** Empties the index inside a transaction; readers keep what they had until it commits. */
export const RESET = `
  DROP TABLE terms;
  DROP TABLE frequencies;
  DROP TABLE lengths;
  DROP TABLE postings;
  DROP TABLE waiting;
  DROP TABLE gone;
  DROP TABLE vectors;
  DROP TABLE files;
  DROP TABLE notes;
  DROP TABLE sources;
  DROP TABLE relations;
  DROP TABLE totals;
  ${SCHEMA}
`;

export const INDEX: IndexSchema = { sql: SCHEMA, applicationId: APPLICATION_ID, version: VERSION };
