import { z } from "zod";
import { Config } from "../../domain/config.ts";

/** One setting of the configuration, read from the schema. */
export interface ConfigKey {
  /** Dotted: `budget.usd`. */
  name: string;
  path: readonly string[];
  /** `HYPO_BUDGET_USD`. */
  variable: string;
  summary: string;
  kind: "text" | "number" | "list";
  /** What it takes, in words. */
  takes: string;
  /** Undefined where there is none. */
  fallback: unknown;
  /** May be null, for none: no cap. */
  isNullable: boolean;
  /** Never printed. */
  isSecret: boolean;
}

/** The parts of JSON Schema that the configuration's schema uses. */
interface Node {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  format?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  anyOf?: Node[];
  items?: Node;
  properties?: Record<string, Node>;
}

/** The JSON Schema of configuration files. */
export const CONFIG_SCHEMA = z.toJSONSchema(Config, { io: "input" });

/** Every key, in the schema's order. */
export const CONFIG_KEYS: readonly ConfigKey[] = keysOf(CONFIG_SCHEMA as Node, []);

function keysOf(node: Node, path: readonly string[]): ConfigKey[] {
  if (node.properties) return Object.entries(node.properties).flatMap(([name, inner]) => keysOf(inner, [...path, name]));
  const isNullable = node.anyOf?.some(({ type }) => type === "null") === true;
  const shape = node.anyOf?.find(({ type }) => type !== "null") ?? node;
  return [
    {
      name: path.join("."),
      path,
      variable: `HYPO_${path.join("_").toUpperCase()}`,
      summary: node.description ?? "",
      kind: shape.type === "array" ? "list" : shape.type === "string" ? "text" : "number",
      takes: `${describe(shape)}${isNullable ? ", or none" : ""}`,
      fallback: node.default,
      isNullable,
      isSecret: /(^|_)(key|token|secret)$/.test(path.at(-1) ?? ""),
    },
  ];
}

function describe(node: Node): string {
  if (node.enum) return `one of ${node.enum.join(", ")}`;
  if (node.type === "array") return node.items?.enum ? `list of ${node.items.enum.join(", ")}` : "list of text";
  if (node.type === "string") return node.format === "uri" ? "http or https address" : "text";
  return `${node.type === "integer" ? "whole number" : "number"}${describeRange(node)}`;
}

function describeRange({ minimum, exclusiveMinimum, maximum }: Node): string {
  const low = exclusiveMinimum === undefined ? (minimum === undefined ? "" : `${minimum} or more`) : `above ${exclusiveMinimum}`;
  // The largest whole number that JSON can carry is no limit worth telling.
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? "" : `at most ${maximum}`;
  const range = [low, high].filter((part) => part !== "").join(", ");
  return range === "" ? "" : `, ${range}`;
}

/** The value under a path of keys; undefined where there is none. */
export function valueAt(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isTree(at) ? at[key] : undefined), tree);
}

/** Puts a value under a path of keys, making the objects above it. */
export function putAt(tree: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const inner = tree[key];
  const below = isTree(inner) ? inner : {};
  tree[key] = below;
  putAt(below, rest, value);
}

export function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
