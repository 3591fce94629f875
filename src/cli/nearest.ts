/** The word closest to a misspelt one, if one is close enough to be what was meant. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: { candidate: string; steps: number } | undefined;
  for (const candidate of candidates) {
    const steps = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (steps <= limit && steps < (best?.steps ?? Infinity)) best = { candidate, steps };
  }
  return best?.candidate;
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment) from one word to the other. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      let steps = Math.min((current[column - 1] ?? 0) + 1, (last[column] ?? 0) + 1, (last[column - 1] ?? 0) + cost);
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        steps = Math.min(steps, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(steps);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
