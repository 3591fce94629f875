import { Command, CommanderError, Option } from "commander";
import { HypoError } from "../domain/errors.ts";
import type { ArgumentDefinition, CommandDefinition, OptionDefinition } from "./definition.ts";
import { topicText, TOPICS } from "./help-topics.ts";
import { nearest } from "./nearest.ts";
import { COMMANDS, GLOBAL_OPTIONS, GROUPS } from "./registry.ts";

type Values = ReadonlyMap<string, string | true | readonly string[]>;

/** What a command line asks for: a text (help, version), or a command with what it was given. */
export type Parsed =
  | { kind: "text"; text: string }
  | { kind: "command"; definition: CommandDefinition; words: string[]; values: Values; globals: Values };

const ABOUT =
  `Turns a question into a sourced, tested answer.

A supervisor agent and the agents it spawns search, read, publish findings, state hypotheses, test them in ` +
  `containers without a network, review each other and write a report. Code checks every quote and every verdict.`;

const CLOSING = `
Examples:
  $ hypo demo                                    the whole job once, without a key
  $ hypo run "Does binary insertion sort beat merge sort on short arrays?"
  $ hypo show last                               what the newest run found

More: hypo help <command>, ${TOPICS.map((topic) => `hypo help ${topic}`).join(", ")}`;

/**
 * Reads a command line (without node and the script).
 *
 * @throws HypoError `usage`, with the nearest word where one is close.
 */
export function parseCommandLine(argv: readonly string[], version: string): Parsed {
  // To set all commands up takes longer than most of them run: the one that is named is enough, unless it is mistyped.
  const named = commandsNamedIn(argv);
  if (named !== undefined) {
    const parsed = parseWith(named, argv, version);
    if (!(parsed instanceof CommanderError)) return parsed;
  }
  const parsed = parseWith(COMMANDS, argv.length === 0 ? ["--help"] : argv, version);
  if (parsed instanceof CommanderError) throw usageError(parsed, argv);
  return parsed;
}

/** The commands whose words are all there; undefined where help may be asked for, which tells of all. */
function commandsNamedIn(argv: readonly string[]): readonly CommandDefinition[] | undefined {
  const words = new Set(argv);
  if (argv.length === 0 || ["help", "--help", "-h"].some((word) => words.has(word))) return undefined;
  return COMMANDS.filter(({ name }) => name.split(" ").every((word) => words.has(word)));
}

function parseWith(commands: readonly CommandDefinition[], argv: readonly string[], version: string): Parsed | CommanderError {
  let printed = "";
  let parsed: Parsed | undefined;
  const program = buildProgram(
    version,
    commands,
    (text) => (printed += text),
    (result) => (parsed = result),
  );
  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) return error;
  }
  return parsed ?? { kind: "text", text: printed };
}

function buildProgram(
  version: string,
  commands: readonly CommandDefinition[],
  print: (text: string) => void,
  done: (parsed: Parsed) => void,
): Command {
  const program = new Command("hypo")
    .description(ABOUT)
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: print, writeErr: () => undefined })
    .exitOverride()
    .addHelpText("after", CLOSING);
  for (const option of GLOBAL_OPTIONS) program.addOption(toOption(option, option.short));
  const groups = new Map<string, Command>();
  for (const definition of commands) {
    addCommand(parentOf(definition, program, groups), definition, (words, values) => {
      done({ kind: "command", definition, words, values, globals: valuesOf(program, GLOBAL_OPTIONS) });
    });
  }
  addHelpCommand(program, (text) => done({ kind: "text", text }));
  return program;
}

function addCommand(parent: Command, definition: CommandDefinition, start: (words: string[], values: Values) => void): void {
  const { summary, description, options, examples } = definition;
  const command = parent.command(lastWord(definition)).summary(summary).description(`${summary}\n\n${description}`);
  for (const argument of definition.arguments) command.argument(argumentTerm(argument), argument.summary);
  for (const option of options) command.addOption(toOption(option));
  command.addHelpText("after", `\nExamples:\n${examples.map((each) => `  $ ${each.command}\n      ${each.says}`).join("\n")}`);
  command.action(() => start(command.args, valuesOf(command, options)));
}

function lastWord({ name }: CommandDefinition): string {
  return name.split(" ").at(-1) ?? name;
}

/** A group of two-word commands is made when the first of them needs it. */
function parentOf(definition: CommandDefinition, program: Command, groups: Map<string, Command>): Command {
  const [group, word] = definition.name.split(" ");
  if (group === undefined || word === undefined) return program;
  const made =
    groups.get(group) ??
    program
      .command(group)
      .description(GROUPS[group] ?? "")
      .helpCommand(false);
  groups.set(group, made);
  return made;
}

function addHelpCommand(program: Command, done: (text: string) => void): void {
  program
    .command("help")
    .argument("[words...]", "a command, or a topic")
    .description(`Print help: hypo help <command>, or a topic: ${TOPICS.join(", ")}`)
    .action((words: string[]) => {
      const topic = words.length === 1 ? topicText(words[0] ?? "") : undefined;
      if (topic !== undefined) return done(topic);
      const found = words.reduce<Command | undefined>((at, word) => at?.commands.find((each) => each.name() === word), program);
      if (!found) throw unknownTopic(words.join(" "));
      found.outputHelp();
    });
}

function unknownTopic(words: string): HypoError {
  const known = [...COMMANDS.map((each) => each.name), ...Object.keys(GROUPS), ...TOPICS];
  const close = nearest(words, known);
  return new HypoError("usage", `There is no help on '${words}'.`, {
    hint: close === undefined ? "`hypo help` lists the commands." : `Did you mean \`hypo help ${close}\`?`,
  });
}

export function argumentTerm({ name, required, variadic }: ArgumentDefinition): string {
  const inner = variadic === true ? `${name}...` : name;
  return required ? `<${inner}>` : `[${inner}]`;
}

export function optionTerm({ name, value }: OptionDefinition): string {
  return value ? `--${name} <${value.name}>` : `--${name}`;
}

function toOption(definition: OptionDefinition, short?: string): Option {
  const flags = optionTerm(definition);
  const { choices } = definition.value ?? {};
  const summary = definition.summary + (choices ? ` (${choices.join(", ")})` : "");
  const option = new Option(short === undefined ? flags : `-${short}, ${flags}`, summary);
  if (definition.repeatable) option.argParser<string[] | undefined>((value, before) => [...(before ?? []), value]);
  return option;
}

function valuesOf(command: Command, options: readonly OptionDefinition[]): Values {
  const values = new Map<string, string | true | readonly string[]>();
  for (const option of options) {
    const given = command.opts<Record<string, unknown>>()[toOption(option).attributeName()];
    if (typeof given === "string" || isTexts(given)) values.set(option.name, given);
    else if (option.name.startsWith("no-") ? given === false : given === true) values.set(option.name, true);
  }
  return values;
}

function withoutSubcommand(group: string | undefined): HypoError {
  if (group === undefined) return new HypoError("usage", "A command is missing.", { hint: "`hypo help` lists the commands." });
  const words = COMMANDS.filter(({ name }) => name.startsWith(`${group} `)).map(lastWord);
  return new HypoError("usage", `hypo ${group} needs one of ${words.join(", ")}.`, { hint: `\`hypo help ${group}\` says what they do.` });
}

function isTexts(given: unknown): given is readonly string[] {
  return Array.isArray(given) && given.every((each) => typeof each === "string");
}

/** The parser's complaint in our words: its suggestion becomes the hint. */
function usageError(error: CommanderError, argv: readonly string[]): HypoError {
  if (error.code === "commander.help") return withoutSubcommand(wordsOf(argv)[0]);
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const suggestion = rest.join(" ").match(/Did you mean (?:one of )?(.+)\?\)/)?.[1];
  const message = `${first.slice(0, 1).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, ".");
  return new HypoError("usage", message, { hint: suggestion === undefined ? `See \`${helpFor(argv)}\`.` : `Did you mean ${suggestion}?` });
}

/** The help of the command that a command line begins with. */
function helpFor(argv: readonly string[]): string {
  const [first = "", second = ""] = wordsOf(argv);
  const named = [`${first} ${second}`, first].find((name) => Object.hasOwn(GROUPS, name) || COMMANDS.some((each) => each.name === name));
  return named === undefined ? "hypo help" : `hypo help ${named}`;
}

/** What is no option, nor the value of one that goes before the command. */
function wordsOf(argv: readonly string[]): string[] {
  const takers = new Set(GLOBAL_OPTIONS.filter(({ value }) => value).flatMap(({ name, short }) => [`--${name}`, `-${short ?? name}`]));
  return argv.filter((word, at) => !word.startsWith("-") && !takers.has(argv[at - 1] ?? ""));
}
