/** A key as the view knows it: one with a name, or a letter. */
export type Key = { name: KeyName } | { name: "letter"; letter: string };

type KeyName =
  | "up"
  | "down"
  | "left"
  | "right"
  | "page_up"
  | "page_down"
  | "home"
  | "end"
  | "enter"
  | "escape"
  | "erase"
  | "erase_word"
  | "erase_line"
  | "interrupt"
  | "suspend";

/** What the terminal reader says of an input, as far as it matters here. */
export interface ReadInput {
  upArrow: boolean;
  downArrow: boolean;
  leftArrow: boolean;
  rightArrow: boolean;
  pageUp: boolean;
  pageDown: boolean;
  home: boolean;
  end: boolean;
  escape: boolean;
  return: boolean;
  backspace: boolean;
  delete: boolean;
  ctrl: boolean;
  meta: boolean;
}

const CONTROL_LETTERS: Readonly<Record<string, KeyName>> = { c: "interrupt", z: "suspend", u: "erase_line", w: "erase_word", h: "erase" };
const CONTROL_CODES: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "enter",
  "\u007F": "erase",
  "\b": "erase",
  "\u0003": "interrupt",
  "\u001A": "suspend",
  "\u0015": "erase_line",
  "\u0017": "erase_word",
};

/**
 * The keys of one input. Someone who types fast, or a program that types, is read as several letters at once, with
 * Enter among them; each is a key of its own. Combinations with Alt are none.
 */
export function keysOf(input: string, read: ReadInput): Key[] {
  const name = nameOf(input, read);
  if (name !== undefined) return [{ name }];
  if (read.meta || read.ctrl) return [];
  return Array.from(input, (letter): Key | undefined => {
    const control = CONTROL_CODES[letter];
    if (control !== undefined) return { name: control };
    return /\p{Cc}/u.test(letter) ? undefined : { name: "letter", letter };
  }).filter((key) => key !== undefined);
}

function nameOf(input: string, read: ReadInput): KeyName | undefined {
  if (read.upArrow) return "up";
  if (read.downArrow) return "down";
  if (read.leftArrow) return "left";
  if (read.rightArrow) return "right";
  if (read.pageUp) return "page_up";
  if (read.pageDown) return "page_down";
  if (read.home) return "home";
  if (read.end) return "end";
  if (read.escape) return "escape";
  if (read.return) return "enter";
  if (read.backspace || read.delete) return "erase";
  return read.ctrl ? CONTROL_LETTERS[input] : undefined;
}
