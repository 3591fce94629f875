/**
 * JSON that keeps maps and sets: `{"$map": [[key, value], …]}` and `{"$set": […]}`. An object that has such a member
 * of its own, as data from models may, is written as its entries, so that it cannot pass for one.
 */

const MAP = "$map";
const SET = "$set";
const OBJECT = "$object";

export function stringifyMaps(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (each instanceof Map) return { [MAP]: [...each] };
    if (each instanceof Set) return { [SET]: [...each] };
    // What a replacer returns is not given to it again, so nothing of ours comes by here.
    if (isMarked(each)) return { [OBJECT]: Object.entries(each) };
    return each;
  });
}

/** @throws SyntaxError where the text is not JSON */
export function parseMaps(text: string): unknown {
  return restoreMaps(JSON.parse(text));
}

/** In place, and without a reviver of `JSON.parse`: that costs several times as much, and snapshots are large. */
function restoreMaps(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let place = 0; place < value.length; place += 1) value[place] = restoreMaps(value[place]);
    return value;
  }
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member === "object" && member !== null) members[name] = restoreMaps(member);
  }
  return isMarked(members) ? unmarked(members) : members;
}

function unmarked(marked: Marked): unknown {
  if (Array.isArray(marked[MAP])) return new Map(marked[MAP] as [unknown, unknown][]);
  if (Array.isArray(marked[SET])) return new Set(marked[SET] as unknown[]);
  return Object.fromEntries(marked[OBJECT] as [string, unknown][]);
}

type Marked = Record<string, unknown>;

function isMarked(value: unknown): value is Marked {
  return typeof value === "object" && value !== null && (MAP in value || SET in value || OBJECT in value);
}
