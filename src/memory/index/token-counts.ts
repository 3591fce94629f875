import type BetterSqlite3 from "better-sqlite3";

/** In how many notes each token occurs, counted in memory and written at the end of a transaction. */
export interface TokenCounts {
  /** Counts the different tokens of one note: 1 for a note that came, -1 for one that went. */
  add(fields: string[][], change: 1 | -1): void;
  flush(): void;
}

export function openTokenCounts(writer: BetterSqlite3.Database): TokenCounts {
  const raise = writer.prepare("INSERT INTO terms VALUES (?, ?) ON CONFLICT DO UPDATE SET notes = notes + excluded.notes");
  const drop = writer.prepare("DELETE FROM terms WHERE term = ? AND notes <= 0");
  const changes = new Map<string, number>();
  return {
    add(fields, change) {
      for (const token of new Set(fields.flat())) if (token !== "") changes.set(token, (changes.get(token) ?? 0) + change);
    },
    flush() {
      // In order, so that a whole index is written from front to back.
      for (const token of [...changes.keys()].sort()) {
        const change = changes.get(token) ?? 0;
        if (change !== 0) raise.run(token, change);
        if (change < 0) drop.run(token);
      }
      changes.clear();
    },
  };
}
