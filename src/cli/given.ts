import { HypoError } from "../domain/errors.ts";
import type { CommandDefinition, OptionDefinition, ValueDefinition } from "./definition.ts";
import { nearest } from "./nearest.ts";

/** Arguments and options as given on the command line, checked against their definition. */
export interface Given {
  argument(index: number): string | undefined;
  /** All words of a variadic argument. */
  words(): string[];
  isSet(option: string): boolean;
  text(option: string): string | undefined;
  /** All values of a repeatable option, in order. */
  texts(option: string): string[];
  number(option: string): number | undefined;
}

/**
 * @param words the positional arguments, in order
 * @param values the options by long name: `true` for switches, the raw text otherwise
 * @throws HypoError `usage` where a value is not what its definition allows.
 */
export function checkGiven(
  definition: CommandDefinition,
  words: string[],
  values: ReadonlyMap<string, string | true | readonly string[]>,
): Given {
  definition.arguments.forEach(({ name, choices }, at) => {
    const word = words[at];
    if (choices && word !== undefined && !choices.includes(word)) throw badWord(name, word, choices);
  });
  const checked = new Map<string, string | number | true>();
  const lists = new Map<string, string[]>();
  for (const option of definition.options) {
    const raw = values.get(option.name);
    if (raw === true) checked.set(option.name, true);
    else if (typeof raw === "string") checked.set(option.name, checkValue(option, raw));
    else if (raw !== undefined)
      lists.set(
        option.name,
        raw.map((each) => String(checkValue(option, each))),
      );
  }
  return {
    argument: (index) => words[index],
    words: () => words,
    isSet: (option) => checked.has(option) || lists.has(option),
    texts: (option) => lists.get(option) ?? [],
    text: (option) => {
      const value = checked.get(option);
      return typeof value === "string" ? value : undefined;
    },
    number: (option) => {
      const value = checked.get(option);
      return typeof value === "number" ? value : undefined;
    },
  };
}

function checkValue(option: OptionDefinition, raw: string): string | number {
  const { value } = option;
  if (!value || value.kind === "text") {
    if (raw === "") throw badValue(option, raw, "a value");
    if (value?.choices && !value.choices.includes(raw)) throw badValue(option, raw, `one of ${value.choices.join(", ")}`);
    return raw;
  }
  const number = /^[+-]?(\d|\.\d)/.test(raw) ? Number(raw) : Number.NaN;
  const isFine = Number.isFinite(number) && number >= (value.min ?? 0) && (value.kind === "number" || Number.isSafeInteger(number));
  if (!isFine) throw badValue(option, raw, describeNumber(value));
  return number;
}

function describeNumber({ kind, min = 0 }: ValueDefinition): string {
  return `${kind === "integer" ? "a whole number" : "a number"} of ${min} or more`;
}

function badWord(argument: string, word: string, choices: readonly string[]): HypoError {
  const close = nearest(word, choices);
  return new HypoError("usage", `${JSON.stringify(word)} is no ${argument}: it is one of ${choices.join(", ")}.`, {
    hint: close === undefined ? "See `hypo help`." : `Did you mean ${close}?`,
  });
}

function badValue(option: OptionDefinition, raw: string, expected: string): HypoError {
  return new HypoError("usage", `--${option.name} was given ${JSON.stringify(raw)}, and needs ${expected}.`, {
    hint: `Example: --${option.name} ${option.value?.choices?.[0] ?? exampleOf(option.value)}`,
  });
}

function exampleOf(value: ValueDefinition | undefined): string {
  return value === undefined || value.kind === "text" ? "<text>" : String(Math.max(2, value.min ?? 0));
}
