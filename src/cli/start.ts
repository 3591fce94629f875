import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { HypoError } from "../domain/errors.ts";
import type { GlobalOptions } from "./commands/options.ts";
import { reportFailure } from "./failures.ts";
import { writeJson, writeOut, type Io } from "./io.ts";
import { allowsColor } from "./output/color.ts";

/**
 * Runs one command line to its exit code; never throws. What is thrown on the way becomes a message.
 *
 * @param argv the words after the script's name
 */
export async function startHypo(argv: readonly string[], io: Io): Promise<number> {
  // Known before parsing, so that a command line that cannot be parsed is reported in the form asked for.
  const wanted = { json: flags(argv).includes("--json"), debug: flags(argv).includes("--debug") };
  try {
    return await runCommandLine(argv, wanted, io);
  } catch (error) {
    return reportFailure(error, wanted, io);
  }
}

async function runCommandLine(argv: readonly string[], wanted: { json: boolean; debug: boolean }, io: Io): Promise<number> {
  // Asking for the version loads nothing else.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) return print(io, readVersion());
  // Shells ask at every press of the tab key: the parser is not needed for the answer.
  if (argv[0] === "__complete") return (await import("./completion/answer.ts")).answerShell(argv.slice(2), io);
  const { parseCommandLine } = await import("./parse.ts");
  const parsed = parseCommandLine(argv, readVersion());
  if (parsed.kind === "text" && wanted.json) return printAsJson(io, parsed.text);
  if (parsed.kind === "text") return page(io, !flags(argv).includes("--no-pager"), (paged) => Promise.resolve(print(paged, parsed.text)));
  const { checkGiven } = await import("./given.ts");
  const { definition, words, values, globals } = parsed;
  const given = checkGiven(definition, words, values);
  const agentDir = globals.get("agent-dir");
  const common: GlobalOptions = { ...wanted, agentDir: typeof agentDir === "string" ? resolve(io.cwd, agentDir) : undefined };
  const isPaged = !wanted.json && !globals.has("no-pager") && definition.isPaged?.(given) === true;
  return page(withGlobals(io, globals), isPaged, (paged) => definition.start(given, common, paged));
}

/** The words before `--`. */
function flags(argv: readonly string[]): readonly string[] {
  return argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
}

/** Only at a terminal is there anything to page. */
async function page(io: Io, isPaged: boolean, use: (io: Io) => Promise<number>): Promise<number> {
  if (!isPaged || !io.isTty.stdout) return use(io);
  const { withPager } = await import("./output/pager.ts");
  return withPager(io, use);
}

/** hypo's own version, from the package it lies in. */
export function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return version;
}

function print(io: Io, text: string): number {
  writeOut(io, text);
  return 0;
}

function printAsJson(io: Io, text: string): number {
  const version = readVersion();
  writeJson(io, text.trim() === version ? { version } : { help: text });
  return 0;
}

function withGlobals(io: Io, globals: ReadonlyMap<string, string | true | readonly string[]>): Io {
  const noColor = globals.has("no-color");
  const folder = globals.get("cwd");
  return {
    ...io,
    cwd: typeof folder === "string" ? checkFolder(resolve(io.cwd, folder)) : io.cwd,
    color: {
      stdout: !noColor && allowsColor(io.env, io.isTty.stdout),
      stderr: !noColor && allowsColor(io.env, io.isTty.stderr),
    },
  };
}

function checkFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new HypoError("usage", `-C names ${path}, which is not a folder.`, { hint: "Name a folder that exists." });
}
