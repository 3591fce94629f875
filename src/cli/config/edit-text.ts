import { isMap, isScalar, YAMLMap, type Document } from "yaml";
import { parseConfigDocument, parseConfigText } from "./config-file.ts";
import { findKey } from "./find-key.ts";
import { checkLayer } from "./problems.ts";

/**
 * The text of a configuration file with one setting changed. Comments, order and everything else stay.
 *
 * @param text undefined for a file that does not exist yet
 * @throws HypoError `config_invalid` where the value is not allowed, or the rest of the file is broken.
 */
export function withSetting(text: string | undefined, path: string, keys: readonly string[], value: unknown): string {
  const { document } = parseConfigDocument(text ?? "", path);
  // By itself first: its line in the file is one that nobody has written.
  checkLayer(treeOf(keys, value), () => "The value given");
  openSections(document, keys.slice(0, -1));
  document.setIn(keys, value);
  const changed = print(document);
  parseConfigText(changed, path);
  return changed;
}

/**
 * The text without one setting; undefined where it does not set it. A key that hypo does not know can be taken out too:
 * that is how a file is mended.
 *
 * @throws HypoError `config_invalid` where it is not YAML; `usage` for a name that is neither in the file nor a setting.
 */
export function withoutSetting(text: string, path: string, name: string): string | undefined {
  const { document } = parseConfigDocument(text, path);
  const keys = name.split(".");
  if (!document.hasIn(keys)) {
    findKey(name);
    return undefined;
  }
  document.deleteIn(keys);
  for (let depth = keys.length - 1; depth > 0; depth--) dropIfEmpty(document, keys.slice(0, depth));
  return print(document);
}

/** A section whose settings are all commented out is no map yet. Its comments stay with it. */
function openSections(document: Document, sections: readonly string[]): void {
  for (let depth = 0; depth <= sections.length; depth++) {
    const at = sections.slice(0, depth);
    const node: unknown = depth === 0 ? document.contents : document.getIn(at, true);
    if (!isScalar(node) || node.value !== null) continue;
    const section = new YAMLMap();
    section.comment = node.comment ?? null;
    section.commentBefore = node.commentBefore ?? null;
    if (depth === 0) document.contents = section;
    else document.setIn(at, section);
  }
}

function treeOf(keys: readonly string[], value: unknown): unknown {
  return keys.toReversed().reduce((inner, key) => ({ [key]: inner }), value);
}

function dropIfEmpty(document: Document, keys: readonly string[]): void {
  const node: unknown = document.getIn(keys, true);
  if (isMap(node) && node.items.length === 0) document.deleteIn(keys);
}

function print(document: Document): string {
  const isEmpty = isMap(document.contents) && document.contents.items.length === 0;
  if (isEmpty) document.contents = null;
  return document.toString({ lineWidth: 0 }).replace(/^null\n$/, "");
}
