// The snowball-stemmers package is one file of 860 kB for all its languages, and a command stems one or two of them:
// this writes a file for each language, which holds what all share and that language alone.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const PACKAGE = "snowball-stemmers";
/** Each of the parts stands at this depth: a helper, a class, or one of the two functions that are exported. */
const PARTS = /^ {4}(?=var |function )/m;
const STEMMER = /^var (\w+)Stemmer = function/;
const SHARED = "Snowball";
/** A line of the table in which `newStemmer` looks languages up. */
const TABLE_LINE = /^ {12}(\w+): \w+Stemmer,?\n/gm;

const FOLDER = "memory/text/stemmers";

/** Writes `<language>.cjs` for every language of the package, each with the whole package's `newStemmer`. */
export function splitStemmers(dist) {
  const folder = join(dist, FOLDER);
  const parts = readFileSync(require.resolve(PACKAGE), "utf8").split(PARTS);
  const languages = require(PACKAGE).algorithms();
  mkdirSync(folder, { recursive: true });
  for (const language of languages) {
    const file = join(folder, `${language}.cjs`);
    writeFileSync(file, textOf(language, parts));
    checkSame(require(file), language);
  }
}

function textOf(language, parts) {
  const isWanted = (name) => name === undefined || name === SHARED || name === language;
  const kept = parts.filter((part) => isWanted(STEMMER.exec(part)?.[1]));
  return kept.join("    ").replaceAll(TABLE_LINE, (line, name) => (name === language ? line : ""));
}

/** A package that is built otherwise one day must not pass for split. */
function checkSame({ newStemmer }, language) {
  const [own, whole] = [newStemmer(language), require(PACKAGE).newStemmer(language)];
  for (const word of ["generalisations", "running", "häuser", "continuellement", "движения", "والكتاب", "x"]) {
    if (own.stem(word) !== whole.stem(word)) throw new Error(`${PACKAGE} was not split well: ${language} stems ${word} otherwise.`);
  }
}

/** In the program, what asks the package for a stemmer asks the file of its language. */
export function takeSplitStemmers(dist) {
  const asking = join(dist, "memory/text/snowball.js");
  return {
    name: "take-split-stemmers",
    transform(code, id) {
      if (id !== asking) return undefined;
      const own = code.replace(`"${PACKAGE}"`, "`./stemmers/${algorithm}.cjs`");
      if (own === code) throw new Error(`${id} does not ask for ${PACKAGE}.`);
      return own;
    },
  };
}
