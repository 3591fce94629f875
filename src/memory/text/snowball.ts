import { createRequire } from "node:module";
import type Snowball from "snowball-stemmers";

export interface Stemmer {
  stem(word: string): string;
}

/** A file of 860 kB that is no module: `import` would read it three times over to learn what it exports. */
const load = createRequire(import.meta.url);

/**
 * The stemmer of one language, by the name of its Snowball algorithm. The package holds all languages in one file; in the
 * program each has a file of its own instead (scripts/split-stemmers.mjs), and is read when its first word is stemmed.
 */
export function makeStemmer(algorithm: string): Stemmer {
  const snowball = load("snowball-stemmers") as typeof Snowball;
  return snowball.newStemmer(algorithm);
}
