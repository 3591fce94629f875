import { BLANK, DASH, foldCharacters, LINE_FEED, SOFT_HYPHEN, Units } from "./folded-characters.ts";

/**
 * A text folded so that two ways of writing the same words become the same `key`: NFKC, one kind of quotation mark and
 * dash, single spaces, nothing invisible, no hyphens between word characters. Per UTF-16 unit of the key, `start` and
 * `end` say in code points where it stands in the original, and `joint` which hyphen was taken out before it.
 */
export interface FoldedText {
  key: string;
  start: Uint32Array;
  end: Uint32Array;
  joint: Uint8Array;
}

/** What stood between two word characters of the key. */
export const Joint = {
  none: 0,
  /** `well-known` */
  hyphen: 1,
  /** `pre- and post-` */
  spaced: 2,
  /** A hyphen at the end of a line: may belong to the word or only to the line break. */
  lineBreak: 3,
} as const;

const WORD = /[\p{L}\p{N}\p{M}]/u;
const LETTER = /[\p{L}\p{M}]/u;
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Folds a text in one pass. `markup`, one mark per UTF-16 unit, says what of it is Markdown and not words. */
export function foldText(text: string, markup?: Uint8Array): FoldedText {
  return joinWords(foldCharacters(text, markup));
}

/** Folds white space, takes hyphens out from between word characters and notes where they stood; reuses the arrays. */
function joinWords(units: Units): FoldedText {
  const { unit, start, end } = units;
  const jointBefore = new Uint8Array(units.length);
  let length = 0;
  for (let index = 0; index < units.length;) {
    const code = unit[index] ?? 0;
    let joint: number = Joint.none;
    if (isGap(code)) {
      const gap = gapAt(units, index);
      const sides = { before: length === 0 ? 0 : (unit[length - 1] ?? 0), after: units.at(gap.to) };
      const [from, to] = [start[index] ?? 0, end[gap.to - 1] ?? 0];
      joint = jointOf(gap, sides);
      for (const kept of joint === Joint.none ? keptOf(gap, sides) : []) {
        [unit[length], start[length], end[length]] = [kept, from, to];
        length += 1;
      }
      index = gap.to;
      if (index >= units.length) break;
    }
    unit[length] = unit[index] ?? 0;
    start[length] = start[index] ?? 0;
    end[length] = end[index] ?? 0;
    jointBefore[length] = joint;
    length += 1;
    index += 1;
  }
  return {
    key: new TextDecoder("utf-16le", { ignoreBOM: true }).decode(unit.subarray(0, length)),
    start: start.subarray(0, length),
    end: end.subarray(0, length),
    joint: jointBefore.subarray(0, length),
  };
}

function isGap(unit: number): boolean {
  return unit === BLANK || unit === LINE_FEED || unit === DASH || unit === SOFT_HYPHEN;
}

/** A run of dashes, soft hyphens and white space. */
interface Gap {
  to: number;
  dashes: boolean;
  soft: boolean;
  /** White space before the first dash, after the last, and whether a line ends in it. */
  spaceBefore: boolean;
  spaceAfter: boolean;
  lineEnds: boolean;
}

function gapAt(units: Units, index: number): Gap {
  const gap: Gap = { to: index, dashes: false, soft: false, spaceBefore: false, spaceAfter: false, lineEnds: false };
  for (; gap.to < units.length; gap.to += 1) {
    const unit = units.at(gap.to);
    if (unit === DASH) [gap.dashes, gap.spaceBefore, gap.spaceAfter] = [true, gap.spaceBefore || gap.spaceAfter, false];
    else if (unit === SOFT_HYPHEN) gap.soft = true;
    else if (unit === BLANK || unit === LINE_FEED) [gap.spaceAfter, gap.lineEnds] = [true, gap.lineEnds || unit === LINE_FEED];
    else break;
  }
  return gap;
}

interface Sides {
  before: number;
  after: number;
}

function jointOf(gap: Gap, { before, after }: Sides): number {
  const [left, right] = [String.fromCharCode(before), String.fromCharCode(after)];
  const breaksWord = gap.lineEnds && LETTER.test(left) && LETTER.test(right);
  if (!gap.dashes) return gap.soft && breaksWord ? Joint.lineBreak : Joint.none;
  if (gap.spaceBefore || !WORD.test(left) || !WORD.test(right)) return Joint.none;
  if (breaksWord) return Joint.lineBreak;
  return gap.spaceAfter && !gap.lineEnds ? Joint.spaced : Joint.hyphen;
}

/** The units that stay of a gap which joins nothing. */
function keptOf(gap: Gap, { before, after }: Sides): number[] {
  const kept = gap.dashes ? (gap.spaceBefore ? [BLANK, DASH] : [DASH]) : [];
  return gap.spaceAfter && !(isUnspaced(before) && isUnspaced(after)) ? [...kept, BLANK] : kept;
}

/** Chinese and Japanese put no spaces between words, so a line break between two characters is nothing. */
function isUnspaced(unit: number): boolean {
  return unit >= 0x2e80 && UNSPACED_SCRIPT.test(String.fromCharCode(unit));
}
