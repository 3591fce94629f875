/**
 * Text from models and pages in Markdown. `safe` escapes every string put into it, so that foreign text cannot become
 * markup by being forgotten; only what `safe` or a function here made goes in as it is.
 */
export interface Markdown {
  readonly markdown: string;
}

/** Controls, direction overrides, invisible characters and line separators; they can hide or reorder what is read. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]+/gu;
/** What renderers turn into links without being asked: addresses with a scheme, `www.` and mail addresses. */
const LINKABLE = /(?:[a-z0-9+.-]{1,30}:\/\/|www\.|(?:mailto|xmpp):)\S*|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/gi;
/** Signs of Markdown anywhere in a line. An underscore between letters or digits is none. */
const SPECIAL = /[\\`*[\]<>|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;
const ENTITY = /&(?=#?\w+;)/g;
const LINE_START = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$|-)|=+(?=\s*$)|:(?=\s))/;
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/;

/** Markdown from a template: strings in it are escaped, numbers and Markdown stand as they are. */
export function safe(parts: TemplateStringsArray, ...values: (string | number | Markdown)[]): Markdown {
  return { markdown: parts.map((part, index) => part + (index < values.length ? renderValue(values[index] ?? "") : "")).join("") };
}

function renderValue(value: string | number | Markdown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? escapeText(value) : value.markdown;
}

/** Pieces of Markdown with a separator between them. */
export function joinMarkdown(pieces: Markdown[], separator: string): Markdown {
  return { markdown: pieces.map(({ markdown }) => markdown).join(separator) };
}

/** Foreign text on one line, in which nothing is markup and nothing becomes a link. */
function escapeText(text: string): string {
  const line = foldLine(text);
  const escaped: string[] = [];
  let from = 0;
  for (const match of line.matchAll(LINKABLE)) {
    escaped.push(escapeWords(line.slice(from, match.index)), codeSpan(match[0]).markdown);
    from = match.index + match[0].length;
  }
  escaped.push(escapeWords(line.slice(from)));
  return escaped
    .join("")
    .replace(LINE_START, String.raw`\$&`)
    .replace(NUMBERED, String.raw`$1\$2`);
}

/** Foreign text as code on one line: shown to the letter, never markup. */
export function codeSpan(text: string): Markdown {
  const line = foldLine(text);
  if (line === "") return { markdown: "" };
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return { markdown: `${fence}${pad}${line}${pad}${fence}` };
}

/** A link where the address is plain HTTP, without a name or password in it; else the address as code. */
export function linkTo(address: string): Markdown {
  const href = webAddress(address);
  return href === undefined ? codeSpan(address) : { markdown: `<${href}>` };
}

/** The address as it may be linked to: plain HTTP, without a name or password in it; undefined for anything else. */
export function webAddress(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isWeb = (url?.protocol === "https:" || url?.protocol === "http:") && url.username === "" && url.password === "";
  return url === undefined || !isWeb || /[\s<>\p{Cc}]/u.test(url.href) ? undefined : url.href;
}

function escapeWords(text: string): string {
  return text.replaceAll(SPECIAL, String.raw`\$&`).replaceAll(ENTITY, String.raw`\&`);
}

function foldLine(text: string): string {
  return foldUnseen(text).trim();
}

/** A text in which something can be seen; undefined for any other. */
export function seenText(text: string | undefined): string | undefined {
  return text === undefined || foldLine(text) === "" ? undefined : text;
}

/** Text on one line without what is not seen, which could hide or reorder it. */
export function foldUnseen(text: string): string {
  return text.replaceAll(UNSEEN, " ").replaceAll(/\s+/g, " ");
}
