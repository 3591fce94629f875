import { argumentTerm, optionTerm } from "../../../src/cli/parse.ts";
import { CONFIG_KEYS, type ConfigKey } from "../../../src/cli/config/keys.ts";
import type { CommandDefinition, OptionDefinition } from "../../../src/cli/definition.ts";
import { errorRows, EXIT_CODE_GUIDE } from "../../../src/cli/help-topics.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../../../src/cli/registry.ts";

/** The pages of docs/ that say what the code says; `vitest -u` writes them. */

const WRITTEN = "<!-- Made from the source by test/unit/cli/docs.test.ts (`npx vitest run docs -u`). Edits here are lost. -->\n";

export function commandsPage(): string {
  return [
    `# The command line\n\n${WRITTEN}`,
    'Results go to stdout, progress and messages to stderr. With `--json` a result is one line, `{"v":1,...}` with snake_case keys; an error is',
    '`{"v":1,"error":{"code","message","hint"}}` on stdout (codes: [errors.md](errors.md)). `hypo run --json` prints the facts of the journal',
    "as JSON lines instead. A run is named by its id, by any unambiguous prefix of it, or by `last`.\n",
    "## Options of every command\n",
    optionRows(GLOBAL_OPTIONS),
    ...COMMANDS.map(commandSection),
    "## Exit codes\n",
    table(
      ["Code", "Meaning"],
      EXIT_CODE_GUIDE.map(([code, meaning]) => [String(code), meaning]),
    ),
  ].join("\n");
}

export function configurationPage(): string {
  return [
    `# Configuration\n\n${WRITTEN}`,
    "Settings come from, first to last: flags, `HYPO_*` variables, the project's file, your file, the defaults. The project's file is",
    "`.hypo/config.yaml` in the nearest folder from the current one upwards that has a `.hypo`; yours is `$XDG_CONFIG_HOME/hypo/config.yaml`,",
    "or `~/.config/hypo/config.yaml`. `hypo config list` shows every value with where it came from, `hypo config path` the files.\n",
    "A key that does not exist is an error that names the file, the line and the nearest key. So is a `HYPO_*` variable whose name misses a key by",
    "a letter or two. Lists are replaced whole; in a variable their items are separated by commas. `hypo config set` changes one setting and leaves",
    "the rest of the file as it is; `hypo config list` works also where a file is broken, and names the line.\n",
    "Editors complete keys and mark mistakes with the schema that `hypo config schema` prints ([config.schema.json](config.schema.json)); for the",
    "YAML language server begin the file with `# yaml-language-server: $schema=<path>`.\n",
    "## A project by others\n",
    "A project's file may come from a stranger. Unless you trusted it, it may name `model`, `subagent_model`, `thinking`, `search.providers`,",
    "`experiment.image` and `experiment.images`, set iterations, and lower every other number of `limits`, `budget`, `gateway`, `experiment` and",
    "`stream_idle_seconds` below what would apply without it. Everything else in it is named in one line on stderr and ignored. `hypo trust` lets the",
    "file set anything, as it is now and where it is now: trust is kept by the real path of the folder and the SHA-256 of the file, in",
    "`$XDG_STATE_HOME/hypo/trust` or `~/.local/state/hypo/trust`, and ends with any change of the file. `hypo trust --revoke` takes it back,",
    "`hypo trust --list` shows it. What you write yourself with `hypo config set --project` stays trusted, if the file was new or trusted before.\n",
    "## Settings\n",
    "```yaml\n# .hypo/config.yaml\nsubagent_model: deepseek/deepseek-flash\nbudget:\n  usd: 2\n  hours: 1\nsearch:\n  searxng_url: http://localhost:8080\n```\n",
    table(["Key", "Takes", "Default", "Meaning", "Variable"], CONFIG_KEYS.map(keyRow)),
  ].join("\n");
}

export function errorsPage(): string {
  return [
    `# Errors\n\n${WRITTEN}`,
    "An error says what is wrong and what to do next. Its code is stable; `--json` carries it, and `--debug` adds the stack.\n",
    table(
      ["Code", "Exit code", "Meaning"],
      errorRows().map(({ code, exit, meaning }) => [`\`${code}\``, String(exit), meaning]),
    ),
  ].join("\n");
}

function commandSection(definition: CommandDefinition): string {
  const usage = [
    "hypo",
    definition.name,
    ...definition.arguments.map(argumentTerm),
    ...(definition.options.length > 0 ? ["[options]"] : []),
  ];
  return [
    `## hypo ${definition.name}\n`,
    `    ${usage.join(" ")}\n`,
    `${definition.summary}. ${definition.description}\n`,
    ...(definition.arguments.length > 0
      ? [
          table(
            ["Argument", "Meaning"],
            definition.arguments.map((argument) => [`\`${argumentTerm(argument)}\``, argument.summary]),
          ),
        ]
      : []),
    ...(definition.options.length > 0 ? [optionRows(definition.options)] : []),
    `\`\`\`sh\n${definition.examples.map(({ command, says }) => `${command}   # ${says}`).join("\n")}\n\`\`\`\n`,
  ].join("\n");
}

function optionRows(options: readonly (OptionDefinition & { short?: string })[]): string {
  return table(
    ["Option", "Meaning"],
    options.map((option) => {
      const choices = option.value?.choices;
      const short = option.short === undefined ? "" : `-${option.short}, `;
      return [`\`${short}${optionTerm(option)}\``, `${option.summary}${choices ? ` (${choices.join(", ")})` : ""}`];
    }),
  );
}

function keyRow(key: ConfigKey): string[] {
  const fallback =
    key.fallback === undefined ? "" : `\`${typeof key.fallback === "string" ? key.fallback : JSON.stringify(key.fallback)}\``;
  return [`\`${key.name}\``, key.takes, fallback, key.summary, `\`${key.variable}\``];
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return `${[line(titles), line(titles.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}
