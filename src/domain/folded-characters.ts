import { DROP, SPACE } from "./markdown-markup.ts";

/** Units of a folded text that only mean something together with what stands around them. */
export const LINE_FEED = 0x0a;
export const BLANK = 0x20;
export const DASH = 0x2d;
export const SOFT_HYPHEN = 0xad;

const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u2035\u02b9\u02bc\u00b4\uff07]/;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u2036\u00ab\u00bb\u02ba\uff02]/;
const DASHES = /[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]/;
const LINE_ENDS = /[\u0085\u2028\u2029]/;
const BLANKS = /[\s\p{Cc}]/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** No character below is a mark. */
const MARKS_START = 0x300;
/** Code points that NFKC may compose with the one before: marks, Hangul letters, half-width kana marks. */
const CONTINUES = /[\p{M}\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7fb\uffa0-\uffdc\uff9e\uff9f]/u;

/** UTF-16 units, each with the range of code points it stands for. */
export class Units {
  unit = new Uint16Array(0);
  start = new Uint32Array(0);
  end = new Uint32Array(0);
  length = 0;

  constructor(capacity: number) {
    this.grow(capacity);
  }

  push(unit: number, start: number, end: number): void {
    if (this.length === this.unit.length) this.grow(2 * this.length + 64);
    this.unit[this.length] = unit;
    this.start[this.length] = start;
    this.end[this.length] = end;
    this.length += 1;
  }

  at(index: number): number {
    return index < this.length ? (this.unit[index] ?? 0) : 0;
  }

  private grow(capacity: number): void {
    const [unit, start, end] = [new Uint16Array(capacity), new Uint32Array(capacity), new Uint32Array(capacity)];
    unit.set(this.unit);
    start.set(this.start);
    end.set(this.end);
    [this.unit, this.start, this.end] = [unit, start, end];
  }
}

/**
 * Folds every character for itself: NFKC, one kind of quotation mark and dash, nothing invisible. Line ends and soft
 * hyphens stay, since words are joined by them. `markup`, one mark per UTF-16 unit, says what is Markdown.
 */
export function foldCharacters(text: string, markup: Uint8Array | undefined): Units {
  const units = new Units(text.length + 16);
  let point = 0;
  for (let index = 0; index < text.length;) {
    const code = text.charCodeAt(index);
    const mark = markup === undefined ? 0 : markup[index];
    if (code < 0x80 && !(text.charCodeAt(index + 1) >= MARKS_START)) {
      if (mark !== DROP) units.push(mark === SPACE ? BLANK : foldAscii(code), point, point + 1);
      index += 1;
      point += 1;
      continue;
    }
    const cluster = clusterAt(text, index);
    const points = countCodePoints(cluster, cluster.length);
    if (mark === SPACE) units.push(BLANK, point, point + points);
    else if (mark !== DROP) pushFolded(units, cluster, point, point + points);
    index += cluster.length;
    point += points;
  }
  return units;
}

function foldAscii(code: number): number {
  if (code === 0x0a || code === 0x0d) return LINE_FEED;
  return code <= BLANK || code === 0x7f ? BLANK : code;
}

/** The code point at an index with everything behind it that normalisation may compose with it. */
function clusterAt(text: string, index: number): string {
  let end = index + lengthAt(text, index);
  while (end < text.length && text.charCodeAt(end) >= MARKS_START) {
    const length = lengthAt(text, end);
    if (!CONTINUES.test(text.slice(end, end + length))) break;
    end += length;
  }
  return text.slice(index, end);
}

function lengthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function pushFolded(units: Units, cluster: string, start: number, end: number): void {
  if (cluster === "\u00ad") return units.push(SOFT_HYPHEN, start, end);
  const visible = cluster.replaceAll(INVISIBLE, "");
  const folded = foldSymbol(visible) ?? visible.normalize("NFKC");
  for (let index = 0; index < folded.length; index += 1) {
    const unit = folded.charAt(index);
    units.push(unit < "\u0080" ? foldAscii(unit.charCodeAt(0)) : unit.charCodeAt(0), start, end);
  }
}

function foldSymbol(cluster: string): string | undefined {
  if (SINGLE_QUOTES.test(cluster)) return "'";
  if (DOUBLE_QUOTES.test(cluster)) return '"';
  if (DASHES.test(cluster)) return "-";
  if (LINE_ENDS.test(cluster)) return "\n";
  return BLANKS.test(cluster) ? " " : undefined;
}

/** Code points in the first `units` UTF-16 units of a text. */
export function countCodePoints(text: string, units: number): number {
  let points = units;
  for (let index = 1; index < units; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) points -= 1;
  }
  return points;
}
