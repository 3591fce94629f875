import { readFile, stat } from "node:fs/promises";
import { isCollection, isMap, LineCounter, parseDocument, type Document, type Node } from "yaml";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";
import { isTree } from "./keys.ts";
import { checkLayer } from "./problems.ts";

/**
 * What a configuration file sets; undefined where there is no such file.
 *
 * @throws HypoError `config_invalid` naming file and line, for broken YAML, unknown keys and values not allowed.
 */
export async function readConfigFile(path: string): Promise<ConfigFile | undefined> {
  const text = await readConfigText(path);
  return text === undefined ? undefined : { text, tree: parseConfigText(text, path) };
}

/** A configuration file that has been read and found good. */
interface ConfigFile {
  text: string;
  tree: Record<string, unknown>;
}

/** What a text sets that was read from a path. Throws as above. */
export function parseConfigText(text: string, path: string): Record<string, unknown> {
  const { document, lines } = parseConfigDocument(text, path);
  const tree: unknown = dropEmptySections(readTree(document, path));
  checkLayer(tree, (keys) => `${path}, line ${lineOf(document, lines, keys)}`);
  return isTree(tree) ? tree : {};
}

/** Throws `config_invalid` for aliases that unfold into more than any configuration holds. */
function readTree(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    throw new HypoError("config_invalid", `${path}: ${messageOf(error)}.`, {
      hint: "Write its values without so many aliases.",
      cause: error,
    });
  }
}

/** The document itself, with its comments, for those that change it. Throws `config_invalid` where it is not YAML. */
export function parseConfigDocument(text: string, path: string): { document: Document; lines: LineCounter } {
  const lines = new LineCounter();
  const options = { lineCounter: lines, prettyErrors: false, maxAliasCount: 20 };
  const document = parseDocument(text, options);
  const broken = document.errors[0];
  if (broken) {
    throw new HypoError(
      "config_invalid",
      `${path}, line ${lines.linePos(broken.pos[0]).line}: this is not valid YAML: ${broken.message}.`,
      {
        hint: "Mend the line. docs/configuration.md has an example.",
      },
    );
  }
  return { document, lines };
}

/** The text of a configuration file; undefined where there is none. Throws `config_invalid` where it cannot be read. */
export async function readConfigText(path: string): Promise<string | undefined> {
  try {
    // Opening a pipe waits for somebody to write to it, for ever.
    if (!(await stat(path)).isFile()) throw new Error("it is no regular file");
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
