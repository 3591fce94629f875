import type { IndexSchema } from "../../../files/index-database.ts";

/** Tables of `sources.sqlite`. Everything in it is derived from the folders of the sources. */

/** Raised with every change of tables or of what is put into them: an index of another version is built anew. */
const VERSION = 4;

/** Marks the file as ours in the SQLite header ("hyps"). */
const APPLICATION_ID = 0x6879_7073;

/**
 * `shelves` are the folders `<aa>` as they were last looked through; `addresses` are the keys of the addresses under which a
 * source was asked for; `bands` hold what nearly the same texts share; `total` is the number of sources.
 */
const SCHEMA = `
  CREATE TABLE shelves (name TEXT PRIMARY KEY, stamp TEXT NOT NULL, looked INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE sources (
    source INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    stamp TEXT NOT NULL,
    retrieved_at TEXT NOT NULL,
    signature TEXT
  );
  CREATE TABLE total (sources INTEGER NOT NULL);
  INSERT INTO total VALUES (0);
  CREATE INDEX sources_newest ON sources (retrieved_at DESC, id);
  CREATE TABLE addresses (key TEXT NOT NULL, source INTEGER NOT NULL, retrieved_at TEXT NOT NULL, PRIMARY KEY (key, source)) WITHOUT ROWID;
  CREATE INDEX addresses_source ON addresses (source);
  CREATE TABLE bands (band TEXT NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (band, source)) WITHOUT ROWID;
  CREATE INDEX bands_source ON bands (source);
  CREATE VIRTUAL TABLE words USING fts5(title, people, address, text, tokenize = 'unicode61 remove_diacritics 2');
  INSERT INTO words (words, rank) VALUES ('rank', 'bm25(4.0, 2.0, 2.0, 1.0)');
  CREATE TRIGGER source_put AFTER INSERT ON sources BEGIN
    UPDATE total SET sources = sources + 1;
  END;
  CREATE TRIGGER source_removed AFTER DELETE ON sources BEGIN
    UPDATE total SET sources = sources - 1;
    DELETE FROM addresses WHERE source = old.source;
    DELETE FROM bands WHERE source = old.source;
    DELETE FROM words WHERE rowid = old.source;
  END;
`;

export const INDEX: IndexSchema = { sql: SCHEMA, applicationId: APPLICATION_ID, version: VERSION };
