/**
 * Takes compounds apart that a query asks for: notes on `Strecken der Eisenbahn` answer a question about
 * `Eisenbahnstrecken`. What words there are is known from the notes alone: of all ways to cut a word, the one whose
 * parts are the most common (Koehn & Knight, "Empirical Methods for Compound Splitting", 2003). Pure but for `countOf`.
 */
import { tokensOfPart } from "../text/analyse.ts";
import type { LanguageTools } from "../text/languages.ts";
import type { Term } from "./plan-query.ts";

/** In letters. Shorter words are seldom compounds, and shorter parts are mostly endings. */
const SHORTEST_WORD = 8;
const LONGEST_WORD = 40;
const SHORTEST_HEAD = 3;
const SHORTEST_TAIL = 4;
const MOST_PARTS = 3;
/** A note that holds a part alone is about the whole only now and then. */
const PART_WEIGHT = 0.5;

/** The notes' word in a compound, in the token of its stem. */
interface Part {
  word: string;
  token: string;
  found: number;
}

/**
 * The terms, followed by the parts of the compounds among them; these are known words, whether notes hold them or not.
 * `countOf` tells how many notes hold a token; `tools` are of the languages that notes are in.
 */
export function splitCompounds(terms: Term[], tools: LanguageTools[], countOf: (token: string) => number): Term[] {
  const compounding = tools.filter(({ joints }) => joints !== undefined);
  if (compounding.length === 0) return terms;
  const asked = new Set(terms.flatMap(({ tokens }) => tokens));
  const parts: Term[] = [];
  const split = terms.map((term) => {
    const found = isLongWord(term) ? findParts(term, compounding, countOf) : [];
    if (found.length === 0) return term;
    for (const { word, token } of found) {
      if (asked.has(token)) continue;
      asked.add(token);
      parts.push({ word, tokens: [token], prefix: undefined, isKnownWord: true, weight: PART_WEIGHT * term.weight });
    }
    return { ...term, isKnownWord: true };
  });
  return [...split, ...parts];
}

function isLongWord({ word, prefix, isKnownWord }: Term): boolean {
  return prefix === undefined && !isKnownWord && word.length >= SHORTEST_WORD && word.length <= LONGEST_WORD && /^\p{L}+$/u.test(word);
}

/** The parts of a word; none where it cannot be cut into words of the notes, or is more common than they are. */
function findParts({ word, tokens }: Term, compounding: LanguageTools[], countOf: (token: string) => number): Part[] {
  const cuts = compounding.map((language) => cutWord(word, MOST_PARTS, language.joints ?? [], partFinder(language, countOf)));
  const parts = commonest(cuts);
  return meanCount(parts) >= Math.max(...tokens.map(countOf)) ? parts : [];
}

/** Finds the notes' word that a piece is; remembers, since the pieces of one word come again and again. */
function partFinder(language: LanguageTools, countOf: (token: string) => number): (piece: string) => Part | undefined {
  const known = new Map<string, Part | undefined>();
  return (piece) => {
    if (known.has(piece)) return known.get(piece);
    const [token = ""] = tokensOfPart(piece, language);
    const found = token.length < SHORTEST_HEAD ? 0 : countOf(token);
    const part = found === 0 ? undefined : { word: piece, token, found };
    known.set(piece, part);
    return part;
  };
}

/** The best way to cut a word into two to `most` parts; no parts where there is none. */
function cutWord(word: string, most: number, joints: readonly string[], findPart: (piece: string) => Part | undefined): Part[] {
  if (most < 2) return [];
  const cuts: Part[][] = [];
  for (let at = SHORTEST_HEAD; at <= word.length - SHORTEST_TAIL; at++) {
    const heads = withoutJoints(word.slice(0, at), joints).flatMap((piece) => findPart(piece) ?? []);
    if (heads.length === 0) continue;
    const tail = findPart(word.slice(at));
    const rest = tail === undefined ? cutWord(word.slice(at), most - 1, joints, findPart) : [tail];
    if (rest.length > 0) cuts.push([...commonest(heads.map((head) => [head])), ...rest]);
  }
  return commonest(cuts);
}

function withoutJoints(head: string, joints: readonly string[]): string[] {
  const shorter = joints.filter((joint) => joint !== "" && head.endsWith(joint)).map((joint) => head.slice(0, -joint.length));
  return [head, ...shorter.filter((piece) => piece.length >= SHORTEST_HEAD)];
}

/** The cut whose parts are in the most notes, by their geometric mean. */
function commonest(cuts: Part[][]): Part[] {
  return cuts.reduce((best, cut) => (meanCount(cut) > meanCount(best) ? cut : best), []);
}

function meanCount(parts: Part[]): number {
  return parts.length === 0 ? 0 : Math.exp(parts.reduce((sum, { found }) => sum + Math.log(found), 0) / parts.length);
}
