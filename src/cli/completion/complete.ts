import type { ArgumentDefinition, CommandDefinition, Completes, OptionDefinition } from "../definition.ts";

export interface Candidate {
  value: string;
  summary: string;
}

/** What may stand under the cursor: words, or whatever a dynamic kind gives (ids, files...). */
export type Completion =
  | { kind: "words"; candidates: Candidate[] }
  /** `run` is the word that names the run, where one was given before. */
  | { kind: "dynamic"; completes: Completes; run: string | undefined };

export interface Vocabulary {
  commands: readonly CommandDefinition[];
  groups: Readonly<Record<string, string>>;
  topics: readonly string[];
  globals: readonly (OptionDefinition & { short?: string })[];
}

/**
 * What may stand in place of the last of the words, which may be empty or begun. Pure: ids are looked up by the caller.
 *
 * @param words what stands after `hypo`, up to the cursor
 */
export function complete(words: readonly string[], vocabulary: Vocabulary): Completion {
  const current = words.at(-1) ?? "";
  const line = readLine(words.slice(0, -1), vocabulary);
  const options = [...(line.definition?.options ?? []), ...vocabulary.globals];
  if (line.open) return valueOf(line.open, line, current);
  if (current.startsWith("-") && !line.isPositionalOnly) return wordsOf(optionCandidates(options, line), current);
  if (!line.definition) return wordsOf(commandCandidates(line.words, vocabulary), current);
  const argument = line.definition.arguments[line.words.length] ?? repeatedArgument(line.definition);
  return argument ? argumentValue(argument, line, current) : wordsOf([], current);
}

/** A command line as far as it goes. */
interface Line {
  definition: CommandDefinition | undefined;
  /** Words of the command's name, or its arguments once it is known. */
  words: string[];
  /** Names of the options given. */
  given: Set<string>;
  /** The option that still waits for its value. */
  open: OptionDefinition | undefined;
  /** After `--`. */
  isPositionalOnly: boolean;
}

function readLine(words: readonly string[], { commands, globals }: Vocabulary): Line {
  const line: Line = { definition: undefined, words: [], given: new Set(), open: undefined, isPositionalOnly: false };
  for (const word of words) {
    if (line.open) line.open = undefined;
    else if (word === "--" && !line.isPositionalOnly) line.isPositionalOnly = true;
    else if (word.startsWith("-") && !line.isPositionalOnly) {
      const option = [...(line.definition?.options ?? []), ...globals].find((each) => isNamed(each, word));
      if (option) line.given.add(option.name);
      if (option?.value && !word.includes("=")) line.open = option;
    } else {
      line.words.push(word);
      const definition = line.definition ? undefined : commands.find(({ name }) => name === line.words.join(" "));
      if (definition) Object.assign(line, { definition, words: [] });
    }
  }
  return line;
}

function isNamed({ name, short }: OptionDefinition & { short?: string }, word: string): boolean {
  return word.split("=")[0] === `--${name}` || (short !== undefined && word === `-${short}`);
}

function repeatedArgument({ arguments: all }: CommandDefinition): ArgumentDefinition | undefined {
  const last = all.at(-1);
  return last?.variadic === true ? last : undefined;
}

function valueOf({ value, summary }: OptionDefinition, line: Line, current: string): Completion {
  if (value?.choices) return wordsOf(choiceCandidates(value.choices, summary), current);
  return value?.completes ? dynamic(value.completes, line) : wordsOf([], current);
}

function argumentValue({ choices, completes, summary }: ArgumentDefinition, line: Line, current: string): Completion {
  if (choices) return wordsOf(choiceCandidates(choices, summary), current);
  return completes ? dynamic(completes, line) : wordsOf([], current);
}

function dynamic(completes: Completes, { definition, words }: Line): Completion {
  const at = definition?.arguments.findIndex((argument) => argument.completes === "run") ?? -1;
  return { kind: "dynamic", completes, run: at < 0 ? undefined : words[at] };
}

function choiceCandidates(choices: readonly string[], summary: string): Candidate[] {
  return choices.map((value) => ({ value, summary }));
}

function optionCandidates(options: readonly OptionDefinition[], { given }: Line): Candidate[] {
  const open = options.filter(({ name, repeatable }) => repeatable === true || !given.has(name));
  return [...open.map(({ name, summary }) => ({ value: `--${name}`, summary })), { value: "--help", summary: "print help" }];
}

function commandCandidates(words: readonly string[], { commands, groups, topics }: Vocabulary): Candidate[] {
  const [first, ...more] = words;
  const single = commands.filter(({ name }) => !name.includes(" ")).map(({ name, summary }) => ({ value: name, summary }));
  const all = [...single, ...Object.entries(groups).map(([value, summary]) => ({ value, summary }))];
  const inGroup = (group: string): Candidate[] =>
    commands
      .filter(({ name }) => name.startsWith(`${group} `))
      .map(({ name, summary }) => ({ value: name.slice(group.length + 1), summary }));
  if (first === undefined) return [...all, { value: "help", summary: "print help on a command or a topic" }];
  if (first !== "help") return more.length === 0 ? inGroup(first) : [];
  if (more.length === 0) return [...all, ...topics.map((value) => ({ value, summary: "topic" }))];
  return more.length === 1 ? inGroup(more[0] ?? "") : [];
}

function wordsOf(candidates: Candidate[], current: string): Completion {
  return { kind: "words", candidates: candidates.filter(({ value }) => value.startsWith(current)) };
}
