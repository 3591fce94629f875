import { findWords } from "./words.ts";

const STOP_WORDS = wordSet(`a an the this that these those and or of in on at to for from by with about regarding concerning as into
  is are was were be been being it its their there which who whom whose what we you your our i me my please also then than
  do does did can could should would will shall must may might have has had so such any some all both each`);

/** Words that say how a task is done and not what it is about: different ones do not make a different task. */
const TASK_WORDS = wordSet(`find search look locate gather collect identify seek get obtain list retrieve up out
  check verify confirm investigate research examine explore study analyse analyze assess evaluate determine review survey
  summarise summarize describe explain report provide give write publish cite read extract
  paper article publication literature source reference document evidence information detail data result finding
  relevant recent good reliable several various multiple key main important question topic task thorough careful short
  carefully thoroughly briefly quickly whether how make makes made`);

/** Words that turn a task round: one more or less of them makes a different task. */
const POLARITY_WORDS = wordSet(`not no non never without against except contra counter contradict refute disprove oppose critic
  critique disadvantage drawback unlike exclude fail failure negative`);

export interface TaskWords {
  /** What the task is about. */
  subject: Set<string>;
  /** How it is to be done. */
  manner: Set<string>;
  /** Numbers, single letters and words that turn it round; tasks that differ here are different. */
  decisive: Set<string>;
}

/** The words of a task in order, without stop words; all of them where there are only stop words. */
export function contentWords(text: string): string[] {
  const words = findWords(text.normalize("NFKC")).map(({ word }) => word);
  const content = words.filter((word) => !STOP_WORDS.has(word));
  return content.length === 0 ? words : content;
}

export function sortTaskWords(text: string): TaskWords {
  const sorted: TaskWords = { subject: new Set(), manner: new Set(), decisive: new Set() };
  for (const word of contentWords(text)) {
    const stem = stemOf(word);
    if (isDecisive(word, stem)) sorted.decisive.add(stem);
    else if (TASK_WORDS.has(word) || TASK_WORDS.has(stem)) sorted.manner.add(stem);
    else sorted.subject.add(stem);
  }
  return sorted;
}

function isDecisive(word: string, stem: string): boolean {
  return /^\p{N}|^[a-z]$/u.test(word) || /\d/.test(word) || POLARITY_WORDS.has(word) || POLARITY_WORDS.has(stem);
}

/** Takes the commonest English endings off, enough for `sorts`, `sorted` and `sorting` to meet. */
function stemOf(word: string): string {
  const stem = word.replace(/(?<=[a-z]{3})(?:ies|ing|ed|es|s)$/, (ending) => (ending === "ies" ? "y" : ""));
  return stem.replace(/(?<=[a-z]{3})e$/, "").replace(/([bdgmnprt])\1$/, "$1");
}

function wordSet(words: string): Set<string> {
  const all = words.split(/\s+/);
  return new Set([...all, ...all.map(stemOf)]);
}
