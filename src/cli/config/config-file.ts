import { readFile } from "node:fs/promises";
import { isCollection, isMap, LineCounter, parseDocument, type Document, type Node } from "yaml";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";
import { isTree } from "./keys.ts";
import { checkLayer } from "./problems.ts";

/**
 * What a configuration file sets; undefined where there is no such file.
 *
 * @throws HypoError `config_invalid` naming file and line, for broken YAML, unknown keys and values not allowed.
 */
export async function readConfigFile(path: string): Promise<Record<string, unknown> | undefined> {
  const text = await readText(path);
  return text === undefined ? undefined : parseConfigText(text, path);
}

/** The same for a text that has been read. */
export function parseConfigText(text: string, path: string): Record<string, unknown> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, maxAliasCount: 20 } as Parameters<
    typeof parseDocument
  >[1]);
  const broken = document.errors[0];
  if (broken) {
    throw new HypoError("config_invalid", `${path}, line ${lines.linePos(broken.pos[0]).line}: this is not valid YAML: ${broken.message}`, {
      hint: "Mend the line. docs/configuration.md has an example.",
    });
  }
  const tree: unknown = dropEmptySections(document.toJS());
  checkLayer(tree, (keys) => `${path}, line ${lineOf(document, lines, keys)}`);
  return isTree(tree) ? tree : {};
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new HypoError("config_invalid", `${path} cannot be read: ${messageOf(error)}.`, {
      hint: "It must be a file that you may read.",
      cause: error,
    });
  }
}

/** A file or section in which everything is commented out says nothing. */
function dropEmptySections(tree: unknown): unknown {
  if (tree === null || tree === undefined) return {};
  if (!isTree(tree)) return tree;
  return Object.fromEntries(Object.entries(tree).filter(([, value]) => value !== null));
}

/** The line (from 1) of the innermost node on the path that exists; for an unknown key, the line of the key itself. */
function lineOf(document: Document, lines: LineCounter, path: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => String(item.key) === part);
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isCollection(node)) {
      node = node.get(Number(part), true);
      offset = startOf(node) ?? offset;
    } else break;
  }
  return lines.linePos(offset).line;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
