/** Words for colours by meaning, so that views never name an escape sequence. */
export type Tone = "strong" | "dim" | "good" | "bad" | "warn" | "accent";

const CODES: Readonly<Record<Tone, readonly [open: number, close: number]>> = {
  strong: [1, 22],
  dim: [2, 22],
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  accent: [36, 39],
};

/** Whether a stream may be given colours: FORCE_COLOR, then NO_COLOR and TERM=dumb, then whether it is a terminal. */
export function allowsColor(env: Readonly<Record<string, string | undefined>>, isTty: boolean): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = env;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if (no !== undefined && no !== "") return false;
  return isTty && term !== "dumb";
}

export type Paint = (tone: Tone, text: string) => string;

/** A painter that leaves text alone where colours are not allowed. */
export function painterFor(isColored: boolean): Paint {
  return (tone, text) => {
    if (!isColored || text === "") return text;
    const [open, close] = CODES[tone];
    return `\u001B[${open}m${text}\u001B[${close}m`;
  };
}
