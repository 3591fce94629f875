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

export function parseMaps(text: string): unknown {
  return JSON.parse(text, (_key, each: unknown) => {
    if (!isMarked(each)) return each;
    if (Array.isArray(each[MAP])) return new Map(each[MAP] as [unknown, unknown][]);
    if (Array.isArray(each[SET])) return new Set(each[SET] as unknown[]);
    return Object.fromEntries(each[OBJECT] as [string, unknown][]);
  });
}

type Marked = Record<string, unknown>;

function isMarked(value: unknown): value is Marked {
  return typeof value === "object" && value !== null && (MAP in value || SET in value || OBJECT in value);
}
