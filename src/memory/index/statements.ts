import type BetterSqlite3 from "better-sqlite3";

/** Conditions of queries come in few forms; so many statements are kept a connection. */
const MOST_STATEMENTS = 200;

const prepared = new WeakMap<BetterSqlite3.Database, Map<string, BetterSqlite3.Statement>>();

/** The statement for a text, prepared once a connection: preparing costs more than most of our queries. Gives rows as objects. */
export function prepareOnce<Row>(database: BetterSqlite3.Database, sql: string): BetterSqlite3.Statement<unknown[], Row> {
  const known = prepared.get(database) ?? new Map<string, BetterSqlite3.Statement>();
  if (known.size >= MOST_STATEMENTS) known.clear();
  prepared.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.set(sql, statement);
  return statement as BetterSqlite3.Statement<unknown[], Row>;
}
