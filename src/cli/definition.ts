import type { GlobalOptions } from "./commands/options.ts";
import type { Given } from "./given.ts";
import type { Io } from "./io.ts";

/** What a shell offers for a value: ids of the project, settings, or paths. */
export type Completes = "run" | "agent" | "experiment" | "source" | "note" | "key" | "file" | "folder";

/** What a command line may carry after an option's name. */
export interface ValueDefinition {
  /** As shown in help, without brackets. */
  name: string;
  kind: "text" | "number" | "integer";
  choices?: readonly string[];
  completes?: Completes;
  /** Smallest allowed number. */
  min?: number;
}

export interface OptionDefinition {
  /** Long name without dashes. */
  name: string;
  summary: string;
  /** Absent for a switch. */
  value?: ValueDefinition;
  /** May be given more than once. */
  repeatable?: true;
}

export interface ArgumentDefinition {
  name: string;
  summary: string;
  required: boolean;
  /** Takes all remaining words. */
  variadic?: boolean;
  choices?: readonly string[];
  completes?: Completes;
}

/**
 * One command: the single place from which parsing, help and docs/cli.md are made. It knows nothing of the parser
 * and imports the code that does the work only when it is started.
 */
export interface CommandDefinition {
  /** One word, or two for a command of a group: `memory search`. */
  name: string;
  summary: string;
  description: string;
  arguments: readonly ArgumentDefinition[];
  options: readonly OptionDefinition[];
  examples: readonly { command: string; says: string }[];
  /** Whether what it prints for people is paged at a terminal; absent for never. */
  isPaged?(given: Given): boolean;
  /** Resolves to the exit code. */
  start(given: Given, common: GlobalOptions, io: Io): Promise<number>;
}
