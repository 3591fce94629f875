import type { Field, Filter } from "./parse-query.ts";

export interface Condition {
  sql: string;
  values: string[];
}

/** The notes of these agents of this run are left out. */
export interface Hidden {
  run: string;
  agents: string[];
}

/** What a note's row `n` must meet: filters of one field are alternatives, fields add up, exclusions always count. */
export function conditionFor(filters: Filter[], hide: Hidden | undefined): Condition {
  const conditionOf = (filter: Filter) => conditionOfFilter(filter, hide);
  const excluded = filters.filter((filter) => filter.excluded).map((filter) => negate(conditionOf(filter)));
  const wanted = Map.groupBy(
    filters.filter((filter) => !filter.excluded),
    ({ field }) => field,
  );
  const alternatives = [...wanted.values()].map((group) => join(group.map(conditionOf), " OR "));
  const hidden = hide === undefined ? [] : [negate(hiddenCondition("n", hide))];
  return join([{ sql: "n.duplicate = 0", values: [] }, ...alternatives, ...excluded, ...hidden], " AND ");
}

/** Each `?` is the value. Runs and sources are named by any beginning of their ids, days by any beginning of a time. */
const FIELD_SQL: Record<Field, string> = {
  type: "lower(n.type) = lower(?) OR n.folder = lower(?)",
  status: "lower(n.status) = lower(?)",
  run: "substr(n.run, 1, length(?)) = ?",
  source: "EXISTS (SELECT 1 FROM sources s WHERE s.note = n.note AND substr(s.source, 1, length(?)) = lower(?))",
  before: "n.created <> '' AND n.created < ?",
  after: "n.created >= ?",
  related: `EXISTS (SELECT 1 FROM relations r WHERE r.note = n.note AND r.target = ?)
    OR n.id IN (SELECT r.target FROM notes o JOIN relations r ON r.note = o.note WHERE o.id = ? AND o.duplicate = 0)`,
};

function conditionOfFilter({ field, value }: Filter, hide: Hidden | undefined): Condition {
  const sql = FIELD_SQL[field];
  const condition = { sql, values: Array.from(sql.matchAll(/\?/g), () => value) };
  return field === "related" && hide !== undefined ? join([condition, negate(isHidden(value, hide))], " AND ") : condition;
}

/** To whom a note is hidden, its relations are too. */
function isHidden(id: string, hide: Hidden): Condition {
  const { sql, values } = hiddenCondition("h", hide);
  return { sql: `EXISTS (SELECT 1 FROM notes h WHERE h.id = ? AND ${sql})`, values: [id, ...values] };
}

/** Whether the row of an alias is one of those hidden. */
export function hiddenCondition(alias: string, { run, agents }: Hidden): Condition {
  return { sql: `${alias}.run = ? AND ${alias}.agent IN (SELECT value FROM json_each(?))`, values: [run, JSON.stringify(agents)] };
}

function negate({ sql, values }: Condition): Condition {
  return { sql: `NOT (${sql})`, values };
}

function join(conditions: Condition[], operator: string): Condition {
  return {
    sql: joinEvenly(
      conditions.map(({ sql }) => `(${sql})`),
      operator,
    ),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** In halves, since a thousand in a row are more than SQLite nests. */
function joinEvenly(parts: string[], operator: string): string {
  if (parts.length <= 2) return parts.join(operator);
  const half = Math.ceil(parts.length / 2);
  return `(${joinEvenly(parts.slice(0, half), operator)})${operator}(${joinEvenly(parts.slice(half), operator)})`;
}
