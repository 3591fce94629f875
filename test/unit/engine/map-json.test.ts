import { expect, it } from "vitest";
import { parseMaps, stringifyMaps } from "../../../src/engine/projection/map-json.ts";

it.each<[string, unknown]>([
  ["maps and sets, also within each other", new Map<unknown, unknown>([["a", new Set([1, new Map([[2, [new Set()]]])])]])],
  [
    "keys that are no text",
    new Map<unknown, unknown>([
      [1, "one"],
      [null, "none"],
    ]),
  ],
  ["a model's data that looks like a map", { $map: [["a", 1]] }],
  ["a model's data that looks like a set, in a map", new Map([["x", { $set: [1], more: [{ $object: "no list" }] }]])],
  ["a member named as the prototype", new Map([["x", JSON.parse('{"__proto__": {"$map": 1}, "constructor": null}')]])],
  ["plain values", [null, "", 0, false, [], {}]],
])("a snapshot gives back %s", (_, value) => {
  expect(parseMaps(stringifyMaps(value))).toStrictEqual(value);
});
